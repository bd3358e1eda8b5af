// Signing in in a real browser while a restore is being saved: the script waits for its end, then the browser sends what was typed;
// without script the page says so and keeps the name.
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { heldOff } from '../../shared/kernel/access/mutation-lock.ts';
import { totpCode, totpStep } from '../../shared/kernel/access/second-factor/totp.ts';
import { violations } from '../setup/axe.ts';
import { leads, startBrowser } from '../setup/browser.ts';
import { House, PASSWORD } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const UI = '/ui/management';
const SIGN_IN = `${UI}/sign-in`;
const SAID = 'A restore is being saved. This page signs in as soon as it is done.';

jest.setTimeout(300_000);

let house: House;
let browser: Browser;
let ahead = 0;
const contexts: BrowserContext[] = [];
let faults: string[] = [];

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead * 1000) };
  house = await House.open({ assets: loadAssets(ASSETS), ticker: false, services: { clock } });
  const { token } = await house.actor('admin', undefined, 'ada');
  await house.actor('service-admin', undefined, 'olga');
  const body = { certificate_requests: true };
  expect((await house.send('PATCH', '/api/v1/public-pages/settings', { token, body })).status).toBe(200);
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  expect(faults).toEqual([]);
  faults = [];
});

async function open(script = true): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: script });
  contexts.push(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return page;
}

const at = (path: string): string => `${house.origin}${path}`;
const outside = (): string => `http://${house.appliance.public!.host}:${house.appliance.public!.port}`;

/** While `during` runs, the transaction of a restore is under way. */
async function held(during: () => Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const saving = house.services.store.write(
    async () => {
      begun.resolve();
      await over.promise;
    },
    { holds: () => heldOff({ job_id: 'held_test', since: '2026-01-01T00:00:00.000Z' }) },
  );
  await begun.promise;
  try {
    await during();
  } finally {
    over.resolve();
  }
  await saving;
}

/** Posts of forms, and where they were sent to. */
function posts(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') seen.push(new URL(request.url()).pathname);
  });
  return seen;
}

async function type(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.fill('#username', name);
  await page.fill('#password', password);
}

const busy = 'form[data-repeats][aria-busy="true"]';

test('who presses while a restore is saved is in after it, at what was asked for', async () => {
  const page = await open();
  const sent = posts(page);
  await page.goto(at(`${UI}/jobs?state=failed`));
  await type(page, 'ada');
  await held(async () => {
    await page.press('#password', 'Enter');
    await page.getByText(SAID).waitFor();
    await page.locator(busy).waitFor();
    // Pressed again: nothing more is sent.
    await page.click('button:has-text("Sign in")');
    expect(sent).toEqual([]);
    expect([await page.inputValue('#username'), await page.inputValue('#password')]).toEqual(['ada', PASSWORD]);
    expect(await violations(page)).toEqual([]);
  });
  await page.waitForURL(at(`${UI}/jobs?state=failed`));
  expect(sent).toHaveLength(1);
});

test('a wrong password is refused on a page of its own, also after a restore was waited for', async () => {
  const page = await open();
  await page.goto(at(SIGN_IN));
  await type(page, 'ada', 'a wrong password');
  await leads(page, () => page.click('button:has-text("Sign in")'));
  expect(await page.textContent('[role="alert"]')).toContain('wrong');
  expect([await page.inputValue('#username'), await page.inputValue('#password')]).toEqual(['ada', '']);
  await type(page, 'ada', 'another wrong one');
  await held(async () => {
    await page.click('button:has-text("Sign in")');
    await page.getByText(SAID).waitFor();
  });
  await page.getByText(SAID).waitFor({ state: 'detached' });
  await page.locator('[role="alert"]').waitFor();
  expect(await page.textContent('[role="alert"]')).toContain('wrong');
  await type(page, 'ada');
  await leads(page, () => page.click('button:has-text("Sign in")'));
  expect(page.url()).toBe(at(UI));
});

// The public pages have no script for anybody.
test.each([
  ['management', () => at(`${UI}/jobs`), () => at(`${UI}/jobs`), 'ada', false],
  ['public', () => `${outside()}/ui/public/sign-in`, () => `${outside()}/ui/public/ca/requests`, 'olga', true],
] as const)('%s, without script: the page keeps the name and says what to do', async (...given) => {
  const [, begins, ends, name, script] = given;
  const page = await open(script);
  await page.goto(begins());
  await type(page, name);
  await held(async () => {
    await leads(page, () => page.click('button:has-text("Sign in")'));
    const said = await page.textContent('[role="alert"]');
    expect(said).toContain('A restore is being saved at this moment. Enter your password and press Sign in again.');
    expect([await page.inputValue('#username'), await page.inputValue('#password')]).toEqual([name, '']);
  });
  await page.fill('#password', PASSWORD);
  await leads(page, () => page.click('button:has-text("Sign in")'));
  expect(page.url()).toBe(ends());
});

test('where the question is not answered, the form is sent all the same', async () => {
  const page = await open();
  await page.route('**/sign-in', (route) => (route.request().method() === 'HEAD' ? route.abort() : route.continue()));
  await page.goto(at(SIGN_IN));
  await type(page, 'ada');
  await leads(page, () => page.click('button:has-text("Sign in")'));
  expect(page.url()).toBe(at(UI));
});

test('the code of the second factor waits as well, and is used once', async () => {
  const user = await house.actor('viewer', undefined, 'vera');
  const page = await open();
  const [name = '', value = ''] = user.cookie.split('=');
  await page.context().addCookies([{ name, value, url: house.origin }]);
  await page.goto(at(`${UI}/account/second-factors/totp`));
  await page.fill('#own_password', PASSWORD);
  await leads(page, () => page.click('button:has-text("Show the secret")'));
  const secret = (await page.textContent('#secret-value'))!;
  await page.fill('#code', codeOf(secret));
  await leads(page, () => page.click('button:has-text("Confirm")'));
  await page.context().clearCookies();
  ahead += 90;
  await page.goto(at(`${UI}/jobs`));
  await type(page, 'vera');
  await leads(page, () => page.click('button:has-text("Sign in")'));
  expect(page.url()).toBe(at(`${SIGN_IN}/second-factor`));
  await page.fill('#code', codeOf(secret));
  await held(async () => {
    await page.click('button:has-text("Go on")');
    await page.getByText(SAID).waitFor();
    expect(await page.inputValue('#code')).not.toBe('');
  });
  await page.waitForURL(at(`${UI}/jobs`));
});

const codeOf = (secret: string): string => {
  const bits = [...secret.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  return totpCode(bytes, totpStep(new Date(Date.now() + ahead * 1000)));
};
