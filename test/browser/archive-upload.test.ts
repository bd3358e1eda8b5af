// Uploading an archive from a real browser: sent in pieces, gone on with on its own page, and compared; without script the form
// is all that there is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { startBrowser } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';
import { bytesOf } from '../shared/appliance/archive/scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const SHOTS = join(import.meta.dirname, 'screenshots');
const UI = '/ui/management/archives';

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let folder: string;
let file: string;
let bytes: Buffer;
beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  bytes = await bytesOf(house, false);
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-upload-'));
  file = join(folder, 'lab.gcarchive');
  writeFileSync(file, bytes);
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(path: string, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  await page.goto(house.origin + path);
  return page;
}

test('a chosen archive is sent, and the browser goes on to its comparison', async () => {
  const page = await open(`${UI}/upload`);
  await page.waitForSelector('[data-archive-to]:visible');
  await page.screenshot({ path: join(SHOTS, 'archive-upload.png'), fullPage: true });
  await page.setInputFiles('#archive-file', file);
  await page.waitForURL(/archives\/[a-z]+_[a-z0-9]+\/restore$/);
  expect(await page.textContent('h1')).toContain('lab.gcarchive');
  await page.context().close();
});

test('one that was begun goes on where it stopped; a file of another size is not taken for it', async () => {
  const { body } = await house.send('POST', '/api/v1/archives/uploads', {
    token: admin.token,
    body: { name: 'begun.gcarchive', size_bytes: bytes.length },
  });
  const half = bytes.length >> 1;
  const event = house.event('PUT', `/api/v1/archives/${body.id}/content?offset=0`, {
    token: admin.token,
    raw: bytes.subarray(0, half).toString('base64'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect((await house.appliance.answer({ ...event, isBase64Encoded: true })).statusCode).toBe(200);
  const page = await open(`${UI}/${body.id}`);
  await page.waitForSelector('[data-archive-to]:visible');
  await page.screenshot({ path: join(SHOTS, 'archive-begun.png'), fullPage: true });
  await page.setInputFiles('#archive-file', { name: 'other', mimeType: '', buffer: bytes.subarray(1) });
  await page.waitForSelector('text=is not the file that was begun with');
  await page.setInputFiles('#archive-file', file);
  await page.waitForURL(/\/restore$/);
  const { body: whole } = await house.send('GET', `/api/v1/archives/${body.id}`, { token: admin.token });
  expect(whole).toMatchObject({ state: 'ready', size_bytes: bytes.length });
  await page.context().close();
});

test('of an archive of schema 2 in plain JSON the page lists what has no place here', async () => {
  const page = await open(`${UI}/upload`);
  await page.setInputFiles('#archive-file', join(import.meta.dirname, '../fixtures/plain-archives/schema-2.json'));
  await page.waitForURL(/\/restore$/);
  await page.click('main form button.btn-primary');
  await page.waitForSelector('text=Not taken over');
  expect(await page.textContent('main')).toContain('schedules');
  await page.screenshot({ path: join(SHOTS, 'archive-plain.png'), fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: join(SHOTS, 'archive-plain-narrow.png'), fullPage: true });
  await page.context().close();
});

test('without script there is the form, which says its limit', async () => {
  const page = await open(`${UI}/upload`, false);
  expect(await page.isVisible('[data-archive-to]')).toBe(false);
  expect(await page.textContent('main')).toContain('groundcrew archive restore FILE');
  await page.setInputFiles('input[name=file]', file);
  await page.click('button:has-text("Upload")');
  await page.waitForURL(/\/restore$/);
  await page.context().close();
});
