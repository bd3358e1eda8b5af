// Uploading an installer image from a real browser: sent in pieces, and gone on with on the page of the medium.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { startBrowser } from '../setup/browser.ts';
import { esxiEntries, makeIso } from '../setup/esxi-iso.ts';
import { type Credentials, House } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const MEDIA = '/ui/management/network-boot/media';

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  browser = await startBrowser();
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-iso-'));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(path: string) {
  const context = await browser.newContext();
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  await page.goto(house.origin + path);
  return page;
}

test('a chosen image is sent, unpacked and ready; a file of another size is not taken for the one that was begun', async () => {
  const image = makeIso(esxiEntries());
  const file = join(folder, 'ESXi-9.1.iso');
  writeFileSync(file, image);
  const page = await open(`${MEDIA}/new`);
  await page.setInputFiles('#image-file', file);
  await page.waitForURL(/media\/[a-z]+_[a-z0-9]+$/);
  await house.appliance.runner.idle();
  await page.reload();
  expect(await page.textContent('h1')).toContain('ESXi-9.1');
  expect(await page.textContent('main')).toContain('Ready');

  const { body } = await house.send('POST', '/api/v1/network-boot/media', {
    token: admin.token,
    body: { name: 'begun', size_bytes: image.length + 1 },
  });
  await page.goto(`${house.origin}${MEDIA}/${body.medium_id}`);
  await page.setInputFiles('#image-file', file);
  await page.waitForSelector('text=is not the file that was begun with');
  await page.context().close();
});
