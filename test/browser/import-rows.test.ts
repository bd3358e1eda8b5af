// Rows from a CSV file in a real browser, with and without script: the preview saves nothing, names what is refused, and what it
// showed is saved. What is downloaded of the refused rows needs no script either.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { violations } from '../setup/axe.ts';
import { startBrowser } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const PICTURES = process.env.IMPORT_PICTURES;

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

async function open(path: string, javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  contexts.push(context);
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  await page.goto(house.origin + path);
  return page;
}

const named = (addresses: readonly string[]) =>
  house
    .send('GET', '/api/v1/ntp/sources?limit=100', { token: admin.token })
    .then(({ body }) => body.items.filter(({ address }: { address: string }) => addresses.includes(address)).length);

async function clean(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

async function pictured(page: Page, what: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(PICTURES, `${what}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test.each([
  ['with script', true],
  ['without script', false],
])('a file is previewed, put right and saved, %s', async (_how, script) => {
  const made = [`one-${script}.test`, `two-${script}.test`];
  await house.send('POST', '/api/v1/ntp/sources', {
    token: admin.token,
    body: { address: made[0]!, description: 'before' },
  });
  const page = await open('/ui/management/ntp', script);
  await page.click('text=Import CSV');
  await page.waitForURL(/\/ntp\/sources\/import$/);
  const buffer = Buffer.from(
    `address;prefer;description\r\n${made[0]};WAHR;after\r\n${made[1]};FALSCH;\r\nnot a name;;\r\n`,
  );
  await page.setInputFiles('#file', { name: 'sources.csv', mimeType: 'text/csv', buffer });
  await page.click('button:has-text("Preview")');
  await page.waitForSelector('#preview');
  const said = await page.textContent('[role="main"], main');
  expect(said).toContain('1 new, 1 changed, 0 same, 1 refused.');
  expect(await page.locator('button', { hasText: /^Import$/ }).count()).toBe(0);
  if (script) await clean(page);
  await pictured(page, `refused-${script}`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Refused rows as CSV')]);
  expect(await readFile((await download.path())!, 'utf8')).toMatch(/^line,column,name,detail\r\n4,1,address,/);
  const typed = await page.inputValue('#csv');
  await page.fill('#csv', typed.replace('not a name;;\n', ''));
  await page.click('button:has-text("Preview")');
  await page.waitForSelector('button:text-is("Import")');
  await pictured(page, `preview-${script}`);
  expect(await named(made)).toBe(1);
  await page.click('button:text-is("Import")');
  await page.waitForURL(/\/management\/ntp$/);
  expect(await page.textContent('body')).toContain('1 source added, 1 changed.');
  expect(await named(made)).toBe(2);
});

test.each([
  ['with script', true],
  ['without script', false],
])('records of a large file are previewed by the same page, and a job saves them, %s', async (_how, script) => {
  const name = `large-${script}.test`;
  const zone = await house.send('POST', '/api/v1/dns/zones', { token: admin.token, body: { name } });
  const page = await open(`/ui/management/dns/zones/${zone.body.id}/import`, script);
  const rows = Array.from(
    { length: 1_200 },
    (_, n) => `h${n}.${name};A;10.${script ? 60 : 61}.${n >> 8}.${n & 255}\r\n`,
  );
  const file = (more: string) => ({
    name: 'records.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`fqdn;type;value\r\n${rows.join('')}${more}`),
  });
  await page.setInputFiles('#file', file(`h0.${name};A;10.9.9.9999\r\n`));
  await page.click('button:has-text("Preview")');
  await page.waitForSelector('#preview');
  expect(await page.textContent('main')).toContain('1200 new, 0 changed, 0 same, 1 refused.');
  expect(await page.locator('tbody tr').first().textContent()).toContain('1202');
  expect(await page.locator('button', { hasText: /^Import$/ }).count()).toBe(0);
  // What is refused is there alone, the others are folded.
  expect(await page.locator('tbody tr:visible').count()).toBe(1);
  if (script) await clean(page);
  await pictured(page, `records-refused-${script}`);
  await page.click('summary:text-is("199 more rows")');
  expect(await page.locator('tbody tr:visible').count()).toBe(200);
  await page.setInputFiles('#file', file(''));
  await page.click('button:has-text("Preview")');
  await page.waitForSelector('button:text-is("Import")');
  await pictured(page, `records-${script}`);
  await page.click('button:text-is("Import")');
  await page.waitForURL(/\/management\/jobs\/job_/);
  await house.appliance.runner.idle();
  const { body } = await house.send('GET', `/api/v1/dns/records?zone=${name}&limit=5`, { token: admin.token });
  expect(body.items.length).toBe(5);
});

test('users of one organization are previewed by the same page; their passwords are on the next one, once', async () => {
  const organization = { slug: 'rows', suffix: 'dc=rows,dc=test' };
  const { body } = await house.send('POST', '/api/v1/ldap/organizations', { token: admin.token, body: organization });
  const page = await open(`/ui/management/ldap/organizations/${body.id}/import`, true);
  await page.fill('#csv', 'uid,surname\nada,Lovelace\n-x,Wrong\n');
  await page.check('#passwords');
  await page.click('button:has-text("Preview")');
  await page.waitForSelector('#preview');
  expect(await page.textContent('main')).toContain('1 new, 0 changed, 0 same, 1 refused.');
  expect(await page.isChecked('#passwords')).toBe(true);
  await clean(page);
  await pictured(page, 'users-refused');
  await page.fill('#csv', 'uid,surname\nada,Lovelace\n');
  await page.click('button:has-text("Preview")');
  await page.click('button:text-is("Import")');
  await page.waitForSelector('#passwords-title');
  expect(await page.textContent('main')).toMatch(/ada,[a-z2-9-]{12}/);
  await clean(page);
  await pictured(page, 'users-passwords');
});
