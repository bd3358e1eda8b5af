// Uploading an OVA from a real browser: chosen and dropped, paused and gone on with, after the page was left, over a broken
// connection, onto a name that is there; and the recipe for a shell, which is run as it stands on the page.
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { applianceFolder } from '../../shared/services/offline-depot/store.ts';
import { startBrowser } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const PAGE = '/ui/management/offline-depot';
const MIB = 1 << 20;

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let folder: string;
const contexts: BrowserContext[] = [];
let faults: string[] = [];

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  browser = await startBrowser();
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-ova-'));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  expect(faults).toEqual([]);
  faults = [];
});

async function open(javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  contexts.push(context);
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(house.origin + PAGE);
  return page;
}

function ova(version: string, size: number): { path: string; name: string; bytes: Buffer } {
  const name = `VCF-SDDC-Manager-Appliance-${version}.ova`;
  const bytes = randomBytes(size);
  writeFileSync(join(folder, name), bytes);
  return { path: join(folder, name), name, bytes };
}

const isPlaced = ({ name, bytes }: { name: string; bytes: Buffer }): boolean =>
  bytes.equals(readFileSync(join(applianceFolder(house.services.host), name)));
const choose = (page: Page, path: string) => page.setInputFiles('#upload-file', path);
const says = (page: Page, words: string) => page.waitForSelector(`.upload-work:visible >> text=${words}`);
const press = (page: Page, words: string) => page.click(`.upload-work:visible >> button:has-text("${words}")`);

/** Answers of pieces from the `after`-th on are held back or cut off. */
async function hinder(page: Page, after: number, how: 'hold' | 'cut'): Promise<() => Promise<void>> {
  let count = 0;
  const held: (() => void)[] = [];
  await page.route('**/content?offset=*', async (route) => {
    if (count++ < after) return route.continue();
    if (how === 'cut') return route.abort('connectionreset');
    await new Promise<void>((go) => held.push(go));
    await route.continue().catch(() => undefined);
  });
  return async () => {
    await page.unroute('**/content?offset=*');
    for (const go of held) go();
  };
}

test('chosen, sent with figures, compared, in the depot; the next one of its name asks first', async () => {
  const page = await open();
  const file = ova('9.0.1.0.1', 9 * MIB);
  await choose(page, file.path);
  await says(page, 'is in the depot');
  await page.waitForSelector(`#appliances th >> text=${file.name}`);
  expect(isPlaced(file)).toBe(true);
  await press(page, 'Upload another');
  const newer = ova('9.0.1.0.1', 5 * MIB);
  await choose(page, newer.path);
  await says(page, `The depot has a file ${file.name} already.`);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-text'))).toBe('ask');
  await press(page, 'Leave it');
  expect(isPlaced(file)).toBe(true);
  await choose(page, newer.path);
  await press(page, 'Replace it');
  await says(page, 'is in the depot');
  expect(isPlaced(newer)).toBe(true);
});

test('paused, the page left, the same file chosen again: it goes on where it stopped, and a changed file is told', async () => {
  const page = await open();
  const file = ova('9.0.2.0.1', 14 * MIB);
  await hinder(page, 2, 'hold');
  await choose(page, file.path);
  await says(page, '57 %');
  await press(page, 'Pause');
  await says(page, 'is paused');
  await page.reload();
  await page.unrouteAll();
  await page.waitForSelector('#appliances >> text=57 %, 8.0 of 14.0 MiB. Choose the same file again to go on.');
  utimesSync(file.path, new Date(), new Date(Date.now() + 60_000));
  await choose(page, file.path);
  await says(page, 'was changed since its upload was begun');
  await press(page, 'Leave it');
  utimesSync(file.path, new Date(), new Date(Date.now() - 3_600_000));
  // Another browser knows nothing of it, and asks.
  const other = await open();
  const offsets: string[] = [];
  other.on('request', (request) => {
    const [, offset] = /offset=(\d+)/.exec(request.url()) ?? [];
    if (offset) offsets.push(offset);
  });
  await choose(other, file.path);
  await says(other, 'was begun elsewhere: 8.0 of 14.0 MiB are here');
  await press(other, 'Go on with it');
  await says(other, 'is in the depot');
  expect(offsets).toEqual([String(8 * MIB), String(12 * MIB)]);
  expect(isPlaced(file)).toBe(true);
});

test('a broken connection is waited for, and nothing is sent twice', async () => {
  const page = await open();
  const file = ova('9.0.3.0.1', 10 * MIB);
  const mend = await hinder(page, 1, 'cut');
  await choose(page, file.path);
  await says(page, 'No connection to the appliance; it is tried again.');
  await mend();
  await says(page, 'is in the depot');
  expect(isPlaced(file)).toBe(true);
});

test('dropped on the page, with the SHA-256 of another: it is told, nothing is in the depot, and removed', async () => {
  const page = await open();
  await page.fill('#upload-sha256', '0'.repeat(64));
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(50_000)], 'dropped-9.1.0.ova'));
    document.querySelector('.drop')!.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
  });
  await says(page, 'not the one that was said');
  await page.waitForSelector('#appliances >> text=All bytes are here, but it is not in the depot');
  await press(page, 'Remove');
  await page.waitForSelector('#appliances >> text=dropped-9.1.0.ova', { state: 'detached' });
  await page.waitForSelector('#upload-file ~ label');
});

test('a name that can’t be kept is said at once', async () => {
  const page = await open();
  await page.setInputFiles('#upload-file', { name: 'of mine (1).ova', mimeType: '', buffer: Buffer.alloc(9) });
  await says(page, 'Letters, digits, dots, hyphens');
});

test('without script: no drop zone, but the recipe, and it runs as it stands', async () => {
  const page = await open(false);
  expect(await page.isVisible('[data-upload-to]')).toBe(false);
  const recipe = (await page.textContent('.code-block pre'))!;
  const file = ova('9.0.4.0.1', 9 * MIB + 5);
  const filled = recipe.replace('TOKEN=…', `TOKEN=${admin.token}`).replace(/OVA=\S+/, `OVA=${file.path}`);
  expect(filled).toContain(`GROUNDCREW=${house.origin} TOKEN=gc`);
  // What the recipe needs beside a shell.
  execFileSync('curl', ['--version']);
  const { stderr } = await promisify(execFile)('bash', ['-c', filled], { timeout: 120_000 });
  expect(stderr).toBe('');
  await house.appliance.runner.idle();
  expect(isPlaced(file)).toBe(true);
});
