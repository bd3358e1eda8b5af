// Second factors in a real browser: an authenticator added and used without script, a passkey made and used with the
// browser's virtual authenticator, and what the pages look like to axe and to people.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { later } from '../../shared/ground/clock.ts';
import { totpCode, totpStep } from '../../shared/kernel/access/second-factor/totp.ts';
import { violations } from '../setup/axe.ts';
import { leads, startBrowser, takePicture } from '../setup/browser.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const SHOTS = join(import.meta.dirname, 'screenshots');
const UI = '/ui/management';
const FACTORS = `${UI}/account/second-factors`;

jest.setTimeout(300_000);

let house: House;
let browser: Browser;
/** By name: passkeys have none by address. */
let origin: string;
let ahead = 0;
const contexts: BrowserContext[] = [];
let faults: string[] = [];

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  const clock = { now: () => later(new Date(), ahead) };
  house = await House.open({ assets: loadAssets(ASSETS), ticker: false, services: { clock } });
  origin = house.origin.replace('127.0.0.1', 'localhost');
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

interface Look {
  script?: boolean;
  dark?: boolean;
  narrow?: boolean;
}

async function open({ script = true, dark = false, narrow = false }: Look): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: script,
    colorScheme: dark ? 'dark' : 'light',
    viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 900 },
  });
  contexts.push(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return page;
}

const signedIn = async (page: Page, { cookie }: Credentials, at = origin): Promise<void> => {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: at }]);
};

/** Accessible, and nothing wider than the window; a picture of it for people. */
async function looks(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect([name, wide, await violations(page)]).toEqual([name, false, []]);
  await takePicture(page, { path: join(SHOTS, `second-factor-${name}.png`), fullPage: true });
}

const codeOf = (secret: string): string => {
  const bits = [...secret.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  return totpCode(bytes, totpStep(later(new Date(), ahead)));
};

/** The code of the present step was used: on to a later one. */
const nextStep = () => {
  ahead += 90;
};

async function password(page: Page, name: string): Promise<void> {
  await page.goto(`${origin}${UI}/sign-in`);
  await page.fill('#username', name);
  await page.fill('#password', PASSWORD);
  await leads(page, () => page.click('button:has-text("Sign in")'));
}

test('an authenticator is added and used without script', async () => {
  const user = await house.actor('viewer', undefined, 'vera');
  const page = await open({ script: false });
  await signedIn(page, user);
  await page.goto(`${origin}${FACTORS}/totp`);
  await page.fill('#own_password', PASSWORD);
  await leads(page, () => page.click('button:has-text("Show the secret")'));
  const secret = (await page.textContent('#secret-value'))!;
  expect(await page.locator('svg.qr').count()).toBe(1);
  await page.fill('#code', '000000');
  await leads(page, () => page.click('button:has-text("Confirm")'));
  expect(await page.textContent('#code-error')).toContain('This is not the code');
  expect(await page.content()).not.toContain(secret);
  await page.fill('#code', codeOf(secret));
  await leads(page, () => page.click('button:has-text("Confirm")'));
  const codes = await page.locator('.recovery-codes li').allTextContents();
  expect(codes).toHaveLength(10);
  await page.context().clearCookies();
  nextStep();
  await password(page, 'vera');
  expect(page.url()).toBe(`${origin}${UI}/sign-in/second-factor`);
  await page.fill('#code', '111111');
  await leads(page, () => page.click('button:has-text("Go on")'));
  expect(await page.textContent('#code-error')).toContain('used before');
  await page.fill('#code', codeOf(secret));
  await leads(page, () => page.click('button:has-text("Go on")'));
  expect(page.url()).toBe(`${origin}${UI}`);
  await page.context().clearCookies();
  await password(page, 'vera');
  await page.fill('#code', codes[0]!);
  await leads(page, () => page.click('button:has-text("Go on")'));
  expect(page.url()).toBe(`${origin}${UI}`);
});

test('who must have one adds it in the sign-in, without script', async () => {
  const { token } = await house.actor('admin');
  const path = '/api/v1/second-factor-policy';
  const policy = (roles: string[]) =>
    house.send('PUT', path, { token, body: { roles, user_verification: 'preferred' } });
  await policy(['network-admin']);
  await house.actor('network-admin', undefined, 'nora');
  const page = await open({ script: false });
  await password(page, 'nora');
  expect(page.url()).toBe(`${origin}${UI}/sign-in/enrol`);
  await page.goto(`${origin}${UI}/jobs`);
  expect(page.url()).toContain('/sign-in?');
  await page.goto(`${origin}${UI}/sign-in/enrol`);
  await leads(page, () => page.click('button:has-text("Show the secret")'));
  await page.fill('#code', codeOf((await page.textContent('#secret-value'))!));
  await leads(page, () => page.click('button:has-text("Confirm and sign in")'));
  expect(await page.locator('.recovery-codes li').count()).toBe(10);
  await leads(page, () => page.click('text=I have the codes'));
  expect(page.url()).toBe(`${origin}${UI}`);
  await policy([]);
});

async function virtualKey(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

test('a passkey is made and used, under its name alone', async () => {
  const user = await house.actor('admin', undefined, 'pia');
  const page = await open({});
  await virtualKey(page);
  await signedIn(page, user);
  await page.goto(`${origin}${FACTORS}/passkeys`);
  await page.fill('#own_password', PASSWORD);
  await leads(page, () => page.click('button:has-text("Go on")'));
  await leads(page, () => page.click('button:has-text("Ask the browser")'));
  expect(await page.locator('.recovery-codes li').count()).toBe(10);
  await leads(page, () => page.click('text=I have the codes'));
  expect(await page.textContent('table')).toContain('localhost');
  await page.context().clearCookies();
  await password(page, 'pia');
  await looks(page, 'passkey-asked');
  await leads(page, () => page.click('button:has-text("Use a passkey")'));
  expect(page.url()).toBe(`${origin}${UI}`);
  const [row] = await house.services.store.all<{ sign_count: number }>(
    'SELECT sign_count FROM second_factor WHERE user_id = ?',
    [user.user.id],
  );
  expect(row!.sign_count).toBeGreaterThan(1);
  // By address none can be made, and the page says so.
  const elsewhere = await open({});
  const other = await house.actor('viewer');
  await signedIn(elsewhere, other, house.origin);
  await elsewhere.goto(`${house.origin}${FACTORS}/passkeys`);
  expect(await elsewhere.textContent('main')).toContain('not by its address');
  expect(await elsewhere.locator('#own_password').count()).toBe(0);
});

test.each([
  ['wide-light', {}],
  ['narrow-dark', { dark: true, narrow: true }],
] as const)('each page is accessible and fits: %s', async (look, options) => {
  const user = await house.actor('admin', undefined, `ada-${look}`);
  const page = await open(options);
  await signedIn(page, user);
  for (const [name, path] of [
    ['list', FACTORS],
    ['authenticator', `${FACTORS}/totp`],
    ['passkey', `${FACTORS}/passkeys`],
    ['codes', `${FACTORS}/recovery-codes`],
    ['policy', `${UI}/users/second-factor-policy`],
    ['user', `${UI}/users/${user.user.id}/second-factors`],
  ] as const) {
    await page.goto(`${origin}${path}`);
    await looks(page, `${name}-${look}`);
  }
  await page.goto(`${origin}${FACTORS}/totp`);
  await page.fill('#own_password', PASSWORD);
  await leads(page, () => page.click('button:has-text("Show the secret")'));
  await looks(page, `secret-${look}`);
  const secret = (await page.textContent('#secret-value'))!;
  await page.fill('#code', codeOf(secret));
  await leads(page, () => page.click('button:has-text("Confirm")'));
  await looks(page, `added-${look}`);
  await page.goto(`${origin}${FACTORS}`);
  await looks(page, `one-${look}`);
  await page.context().clearCookies();
  await password(page, `ada-${look}`);
  await looks(page, `asked-${look}`);
});
