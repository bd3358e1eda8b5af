// Signing in at somebody else's provider in a real browser, with script and without: the way there and back through our policy of
// content and cookies, and what the pages look like to axe and to people.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { violations } from '../setup/axe.ts';
import { leads, startBrowser, takePicture } from '../setup/browser.ts';
import { ExternalScene, SIGN_IN, UI } from '../setup/external-scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const SHOTS = join(import.meta.dirname, 'screenshots');
const SETTINGS = `${UI}/users/sign-in-provider`;

jest.setTimeout(300_000);

let scene: ExternalScene;
let browser: Browser;
const contexts: BrowserContext[] = [];
let faults: string[] = [];

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  scene = await ExternalScene.open({ assets: loadAssets(ASSETS) });
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await scene?.close();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  expect(faults).toEqual([]);
  faults = [];
});

async function open({ script = true, narrow = false, dark = false } = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: script,
    ignoreHTTPSErrors: true,
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

const at = (path: string): string => `${scene.house.origin}${path}`;

/** Accessible, and nothing wider than the window; a picture of it for people. */
async function looks(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect([name, wide, await violations(page)]).toEqual([name, false, []]);
  await takePicture(page, { path: join(SHOTS, `external-sign-in-${name}.png`), fullPage: true });
}

test('one press of the button signs in, and leads on to the page that was asked for', async () => {
  const page = await open();
  await page.goto(at(`${UI}/interfaces`));
  expect(page.url()).toContain(SIGN_IN);
  await looks(page, 'button');
  await page.click('button:has-text("Sign in with Lab identity")');
  await page.waitForURL(at(`${UI}/interfaces`));
  expect(await page.textContent('h1')).toContain('Interfaces');
  await page.goto(at(`${UI}/users`));
  expect(await page.textContent('main')).toContain('external');
});

test('without script the answer is sent on by a button', async () => {
  const page = await open({ script: false, narrow: true });
  await page.goto(at(SIGN_IN));
  await page.click('button:has-text("Sign in with Lab identity")');
  await page.waitForURL((url) => url.pathname === `${SIGN_IN}/external/callback`);
  await leads(page, () => page.click('button:has-text("Go on")'));
  expect(page.url()).toBe(at(UI));
});

test('who has no role is told so on the page with the other way in', async () => {
  scene.fake.person = { sub: 'person-nobody', preferred_username: 'nobody', groups: [] };
  const page = await open();
  await page.goto(at(SIGN_IN));
  await page.click('button:has-text("Sign in with Lab identity")');
  await page.waitForURL((url) => url.pathname === `${SIGN_IN}/external/finish`);
  await page.waitForLoadState('load');
  expect(await page.textContent('main')).toContain('none of your groups there has a role here');
  expect(await page.locator('#password').count()).toBe(1);
  await looks(page, 'refused');
});

test.each([
  { dark: false, narrow: false },
  { dark: true, narrow: true },
])('its settings look well: %j', async (look) => {
  const page = await open(look);
  const [name = '', value = ''] = scene.admin.cookie.split('=');
  await page.context().addCookies([{ name, value, url: at('/') }]);
  await page.goto(at(SETTINGS));
  await looks(page, `settings-${look.narrow ? 'narrow-dark' : 'wide'}`);
  await leads(page, () => page.click('button:has-text("Look at the certificate")'));
  expect(await page.textContent('main')).toContain('This certificate is confirmed.');
});
