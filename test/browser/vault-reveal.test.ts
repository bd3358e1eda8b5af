// Revealing a value in a real browser: by keyboard alone and without leaving the page, for fifteen seconds, and nothing of
// it stays in the document, the browser's history or a field; without script it is a page that leaves by itself.
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { leads, startBrowser, stopClock } from '../setup/browser.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const VALUE = 'C4nary value <b>&';

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let vault: string;
let entry: string;
const contexts: BrowserContext[] = [];
let faults: string[] = [];

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  const create = async (path: string, body: object): Promise<string> =>
    (await house.send('POST', `/api/v1/vaults${path}`, { token: admin.token, body })).body.id;
  const vault_id = await create('', { name: 'site-a' });
  const entry_id = await create(`/${vault_id}/entries`, { key: 'esx01.root', username: 'root', value: VALUE });
  vault = `/ui/management/vaults/${vault_id}`;
  entry = `${vault}/entries/${entry_id}`;
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

async function open(path: string, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  contexts.push(context);
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  if (javaScriptEnabled) await stopClock(context);
  await page.goto(house.origin + path);
  return page;
}

/** Id of what has the focus, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim() || '');
const reads = (page: Page): Promise<string> => page.textContent('#revealed-value').then((text) => text ?? '');
const holdsValue = async (page: Page): Promise<boolean> => /C4nary/.test(await page.content());

test('in place: wrong password, right one, the ring, and hidden after its time', async () => {
  const page = await open(entry);
  await page.focus('summary:has-text("Reveal")');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not this one');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#password-error >> text=This is not your password.');
  expect([await focused(page), await page.inputValue('#password')]).toEqual(['password', '']);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-revealed]');
  expect([await reads(page), await focused(page)]).toEqual([VALUE, 'revealed-title']);
  expect(new URL(page.url()).pathname).toBe(entry);
  // Who looked stands below without a reload.
  await page.clock.runFor(2_000);
  await page.waitForSelector('main td >> text=Shown to a person');
  await page.clock.runFor(8_000);
  expect([await reads(page), await page.textContent('.ring text')]).toEqual([VALUE, '0:05']);
  await page.clock.runFor(6_000);
  await page.waitForSelector('[data-revealed]', { state: 'detached' });
  expect([await holdsValue(page), await focused(page), await page.inputValue('#password')]).toEqual([
    false,
    'password',
    '',
  ]);
  expect(await page.locator('.reveal .err').count()).toBe(0);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
});

test('from the list, hidden by hand, and not there for who goes back', async () => {
  const page = await open(vault);
  await page.click('text=Reveal…');
  await page.waitForURL(`**${entry}/reveal`);
  expect(await focused(page)).toBe('password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-revealed]');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Copy');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-revealed]', { state: 'detached' });
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-revealed]');
  await page.goto(`${house.origin}${vault}`);
  await page.goBack();
  await page.waitForSelector('h1 >> text=Reveal');
  expect([await holdsValue(page), await page.locator('[data-revealed]').count()]).toEqual([false, 0]);
});

test('a value can be made up and seen while it is typed, and comes back from no refusal', async () => {
  const page = await open(`${vault}/entries/new`);
  await page.click('text=Generate one');
  const made = await page.inputValue('#value');
  for (const kind of [/^.{20}$/, /[A-Z]/, /[a-z]/, /[0-9]/, /[!@^_-]/]) expect(made).toMatch(kind);
  expect([await page.getAttribute('#value', 'type'), await page.getAttribute('[data-peek]', 'aria-pressed')]).toEqual([
    'text',
    'true',
  ]);
  await page.click('text=Show what is typed');
  expect(await page.getAttribute('#value', 'type')).toBe('password');
  await page.fill('#key', 'Not a key');
  await page.click('text=Add entry');
  await page.waitForSelector('#errors');
  expect([await page.inputValue('#value'), (await page.content()).includes(made)]).toEqual(['', false]);
});

test('without script: a page with the value, which leads away by itself', async () => {
  const page = await open(entry, false);
  await page.click('summary:has-text("Reveal")');
  await page.fill('#password', PASSWORD);
  // It stays for as long as it is looked at.
  let leaves: string | undefined;
  await page.route('**/reveal', async (route) => {
    const answer = await route.fetch();
    const { refresh, ...headers } = answer.headers();
    leaves = refresh;
    await route.fulfill({ response: answer, headers });
  });
  await leads(page, () => page.click('.reveal .btn'));
  expect(leaves).toBe(`15; url=${entry}`);
  expect(await reads(page)).toBe(VALUE);
  // Its words would stand still.
  expect(await page.isVisible('.ring text')).toBe(false);
  await leads(page, () => page.click('text=Hide'));
  expect(new URL(page.url()).pathname).toBe(entry);
  expect(await holdsValue(page)).toBe(false);
});
