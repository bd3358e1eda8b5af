// The page of hosts that wait to boot, in a real browser: an attempt appears, is authorized by its code, drifts and ends
// without anybody loading the page again; it never shows the code, and is readable in both sizes and themes.
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { violations } from '../setup/axe.ts';
import { BootScene, CANARIES } from '../setup/boot-scene.ts';
import { leads, startBrowser, takePicture } from '../setup/browser.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'test/browser/screenshots');
const WAITING = '/ui/management/network-boot/waiting';
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

jest.setTimeout(300_000);

let scene: BootScene;
let browser: Browser;
let page: Page;
const faults: string[] = [];
let loads = 0;

beforeAll(async () => {
  scene = await BootScene.open({ assets: loadAssets(join(ROOT, 'dist/assets')) });
  browser = await startBrowser();
  // Without motion, so that no colour is measured on its way to another.
  const context = await browser.newContext({ viewport: SIZES.wide, reducedMotion: 'reduce' });
  const [name = '', value = ''] = scene.admin.cookie.split('=');
  await context.addCookies([{ name, value, url: scene.house.origin }]);
  page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('load', () => {
    loads += 1;
  });
  await page.goto(scene.house.origin + WAITING);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await scene?.house.close();
});

const attempt = () => page.locator('article.attempt');
const shows = async (text: string | RegExp): Promise<void> => {
  await page.locator('#attempts').getByText(text).first().waitFor();
};

async function look(state: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await takePicture(page, { path: join(PICTURES, `waiting-${state}.${size}.${colorScheme}.png`) });
      expect({ state, size, colorScheme, found: await violations(page) }).toEqual({
        state,
        size,
        colorScheme,
        found: [],
      });
    }
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect({ state, size, wider }).toEqual({ state, size, wider: 0 });
  }
  await page.setViewportSize(SIZES.wide);
}

test('from the choice on the console to the retrieval, on one page that nobody loads again', async () => {
  expect(await attempt().count()).toBe(0);
  const { code, claim } = await scene.start();
  await attempt().waitFor();
  const text = (await page.content()).toUpperCase();
  for (const secret of [code, code.replace('-', ''), claim, CANARIES.text, CANARIES.variable])
    expect([secret, text.includes(secret.toUpperCase())]).toEqual([secret, false]);
  expect(await attempt().textContent()).toMatch(/esx01\.lab\.example[\s\S]*00:50:56:01:02:03/);
  await look('open');
  // By another operator, who has the code.
  expect((await scene.authorize(code)).status).toBe(202);
  await shows(/authorized/i);
  await look('authorized');
  const path = await scene.kickstartPath(claim);
  expect((await scene.boot(path)).statusCode).toBe(200);
  await shows(/consumed/i);
  expect(await attempt().count()).toBe(0);
  expect([loads, faults]).toEqual([1, []]);
});

test('the code is typed by keyboard; what was saved since the apply is refused and shown field by field', async () => {
  const { code } = await scene.start();
  await attempt().waitFor();
  await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { ip_address: '10.10.0.22' });
  await page.focus('#boot_code');
  await page.keyboard.type(code.toLowerCase());
  await leads(page, () => page.keyboard.press('Enter'));
  await page.getByText('Nothing was authorized or revoked').waitFor();
  await shows('10.10.0.22');
  expect(await page.locator('#attempts').textContent()).toContain('10.10.0.21');
  await look('drift');
  await leads(page, () => page.getByRole('button', { name: /revoke/i }).press('Enter'));
  await shows(/revoked/i);
  expect(await attempt().count()).toBe(0);
  expect(faults.filter((fault) => !/status of 409/.test(fault))).toEqual([]);
});
