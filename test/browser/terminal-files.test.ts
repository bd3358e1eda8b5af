// Files of another machine in a real browser: opened, browsed, downloaded and uploaded, with scripts and without; hostile names run
// nothing.
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { violations } from '../setup/axe.ts';
import { startBrowser } from '../setup/browser.ts';
import { PASSWORD } from '../setup/house.ts';
import { FILES_PATH, RemoteFilesScene } from '../setup/remote-files-scene.ts';
import { until } from '../setup/until.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const ODD = '<img src=x onerror=alert(1)>\u202e';

jest.setTimeout(300_000);

let scene: RemoteFilesScene;
let browser: Browser;

beforeAll(async () => {
  scene = await RemoteFilesScene.open({ assets: loadAssets(ASSETS) });
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await scene?.close();
});

async function opened(scripts: boolean): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
  await scene.begin();
  scene.files.folder('/etc');
  scene.files.put('/etc/hosts', 'what it has');
  scene.files.put(`/${ODD}`, 'odd');
  const context = await browser.newContext({ javaScriptEnabled: scripts });
  const [name = '', value = ''] = scene.admin.cookie.split('=');
  await context.addCookies([{ name, value, url: scene.origin }]);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => faults.push(dialog.message()));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(scene.origin + FILES_PATH);
  await page.selectOption('#target', { index: 0 });
  if (scripts) expect(await violations(page)).toEqual([]);
  await page.fill('#own_password', PASSWORD);
  await page.click('button:has-text("Open its files")');
  await page.waitForURL(/\/files\/visit_/);
  return { page, context, faults };
}

async function downloaded(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await page.click('a:has-text("Download")');
  let text = '';
  for await (const piece of await (await download).createReadStream()) text += String(piece);
  return text;
}

test('with scripts: a folder, a download, an upload that replaces, and the end', async () => {
  const { page, context, faults } = await opened(true);
  expect(await page.innerText('main')).toContain('<img src=x onerror=alert(1)>\\u{202e}');
  expect(await violations(page)).toEqual([]);
  await page.click('tbody a:has-text("etc")');
  await page.waitForURL(/path=%2Fetc/);
  expect(await downloaded(page)).toBe('what it has');
  const file = { name: 'hosts', mimeType: 'text/plain', buffer: Buffer.alloc(3 << 20, 'new') };
  await page.setInputFiles('#remote-file', file);
  await page.locator('[data-text="refused"]', { hasText: 'is there already' }).waitFor();
  await page.check('#remote-replace');
  await page.setInputFiles('#remote-file', file);
  await until(() => scene.files.stored.get('/etc/hosts')?.bytes.length === 3 << 20);
  // The folder is shown anew, with what is there now.
  await page
    .locator('td', { hasText: '3.0 MiB' })
    .or(page.locator('td', { hasText: '3 MiB' }))
    .or(page.locator('td', { hasText: '3.1 MB' }))
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.click('button:has-text("Close the connection")');
  await page.waitForURL((url) => url.pathname === FILES_PATH);
  await until(() => scene.machine.connections === 0);
  expect(faults).toEqual([]);
  await context.close();
});

test('without scripts: the same, with a small file in its form', async () => {
  const { page, context } = await opened(false);
  await page.click('tbody a:has-text("etc")');
  await page.waitForURL(/path=%2Fetc/);
  expect(await downloaded(page)).toBe('what it has');
  await page.setInputFiles('#file', { name: 'x', mimeType: 'text/plain', buffer: Buffer.from('small') });
  await page.fill('#name', 'small.txt');
  await page.click('button:has-text("Upload")');
  await page.locator('a', { hasText: 'small.txt' }).first().waitFor();
  expect(scene.files.text('/etc/small.txt')).toBe('small');
  await context.close();
});

test('the list of confirmed host keys, and the question before one is forgotten', async () => {
  const { page, context } = await opened(true);
  await page.goto(`${scene.origin}${FILES_PATH.replace(/files$/, 'hosts')}`);
  expect(await page.innerText('main')).toContain(scene.machine.fingerprint);
  expect(await violations(page)).toEqual([]);
  await page.click('a:has-text("Forget")');
  await page.waitForURL(/\/delete$/);
  expect(await violations(page)).toEqual([]);
  await context.close();
});
