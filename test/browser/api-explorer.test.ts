// The API explorer in a real browser: found by words and read without script, within the bar of a page, and with one an
// operation is sent with a token that the page forgets.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { violations } from '../setup/axe.ts';
import { leads, startBrowser } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS), ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

test('each group comes cold within 60 kB on the wire, and describes each of its operations', async () => {
  const { manifest } = loadAssets(ASSETS);
  const assets = ['app.css', 'app.js'].map((asset) => readFileSync(join(ASSETS, `${manifest[asset]!}.br`)).length);
  const cold = assets.reduce((sum, each) => sum + each, 0);
  const document = (await house.send('GET', '/openapi.json')).body;
  const groups = (document.tags as { name: string }[]).map(({ name }) =>
    name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  );
  const large: [string, number][] = [];
  let told = 0;
  for (const group of ['', ...groups]) {
    const { status, text } = await house.send('GET', `/api/docs?group=${group}`);
    expect([group, status]).toEqual([group, 200]);
    // As the appliance compresses what it renders.
    const bytes = cold + brotliCompressSync(text).length;
    if (bytes > 60_000) large.push([group, bytes]);
    told += text.match(/<section class="below" id="/g)?.length ?? 0;
  }
  expect(large).toEqual([]);
  const all = Object.values(document.paths as Record<string, object>).flatMap((item) => Object.keys(item));
  expect(told).toBe(all.length);
});

test('without script an operation is found by words, and read', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${house.origin}/api/docs`);
  await page.getByLabel('Part of a path, name or description').fill('ntp source delete');
  await leads(page, () => page.getByRole('button', { name: 'Filter' }).click());
  await leads(page, () => page.getByRole('link', { name: 'Delete an NTP source' }).click());
  const operation = page.locator('#deleteNtpSource');
  expect(await operation.textContent()).toContain('write:ntp');
  expect(await operation.textContent()).toContain('curl -s -X DELETE');
  await context.close();
});

test('an operation is sent with a token, which is gone with the page; axe finds nothing in either theme', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${house.origin}/api/docs?group=ntp`);
  const operation = page.locator('#listNtpSources');
  await operation.getByRole('button', { name: 'Try it: List NTP sources' }).click();
  await operation.getByLabel('Token').fill(admin.token);
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByText('"items"').waitFor();
  expect(await operation.locator('pre[role=status]').textContent()).toMatch(/^200 /);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
  }
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(admin.token);
  expect(faults).toEqual([]);
  await context.close();
});
