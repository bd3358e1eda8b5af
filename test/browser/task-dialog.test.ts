// Certificate trust in a dialog over the page that it is opened from: by keyboard alone and to its end, while what was typed
// behind it stays; given up at any step; without script, a page of its own; accessible in both themes, wide and narrow.
// With SHOTS naming a folder, each step is left there as a picture.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { violations } from '../setup/axe.ts';
import { startBrowser, takePicture } from '../setup/browser.ts';
import type { Credentials, House } from '../setup/house.ts';
import { DEPOT_PASSWORD, type DepotScene, depotScene, reviewed } from '../setup/remote-depot-scene.ts';
import { manager, serverOf, TRUST } from '../setup/remote-scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const HELPER = '/ui/management/vcf-helper';
const { SHOTS } = process.env;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

jest.setTimeout(300_000);

let scene: DepotScene;
let house: House;
let admin: Credentials;
let fake: VcfAppliance;
let browser: Browser;
let faults: string[] = [];

beforeAll(async () => {
  scene = await depotScene({ assets: loadAssets(ASSETS) });
  ({ house, admin } = scene);
  fake = await manager();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await fake?.stop();
  await house?.close();
});
afterEach(() => {
  expect(faults).toEqual([]);
  faults = [];
});

async function contextOf(script = true): Promise<BrowserContext> {
  const made = await browser.newContext({ viewport: SIZES[0]!, javaScriptEnabled: script, reducedMotion: 'reduce' });
  const [name = '', value = ''] = admin.cookie.split('=');
  await made.addCookies([{ name, value, url: house.origin }]);
  return made;
}

async function open(path: string, where: BrowserContext): Promise<Page> {
  const page = await where.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(house.origin + path);
  return page;
}

const DIALOG = 'dialog.task:modal';
const at = (page: Page, step: string) =>
  page.waitForSelector(`${DIALOG} [data-wizard="${step}"]:not([aria-busy="true"])`);
const said = (page: Page) => page.locator(DIALOG).innerText();

/** Tab until the control of these words or of this id has the focus, as somebody without a mouse gets there. */
async function tabTo(page: Page, what: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const one = document.activeElement as HTMLElement | null;
      return [one?.id, one?.textContent?.trim()];
    });
    if (here.includes(what)) return;
  }
  throw new Error(`Tab leads to no ${what}.`);
}

async function press(page: Page, what: string, key = 'Enter'): Promise<void> {
  await tabTo(page, what);
  await page.keyboard.press(key);
}

async function looked(page: Page, name: string): Promise<void> {
  const found: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violations(page)).map((fault) => `${name} ${size.width} ${colorScheme} ${fault}`));
      if (!SHOTS) continue;
      mkdirSync(SHOTS, { recursive: true });
      await takePicture(page, { path: join(SHOTS, `${name}-${size.width}-${colorScheme}.png`) });
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) found.push(`${name} is ${over} pixels wider than the window at ${size.width}`);
  }
  await page.setViewportSize(SIZES[0]!);
  expect(found).toEqual([]);
}

test('by keyboard alone, over the review of the depot, to its end: what was typed behind it is still there', async () => {
  const context = await contextOf();
  const page = await open((await reviewed(house, admin, fake)).at, context);
  const review = page.url();
  await page.fill('#depot_password', DEPOT_PASSWORD);
  await page.fill('#password', fake.account.password);
  await press(page, 'Certificate trust');
  await at(page, 'server');
  expect([page.url(), await page.evaluate(() => document.activeElement?.id)]).toEqual([review, 'step-title']);
  await looked(page, '1 server');
  expect(await page.inputValue(`${DIALOG} #server`)).toBe(serverOf(fake));
  await press(page, 'Look at its certificate');
  await at(page, 'tls');
  const shown = await said(page);
  expect(shown.replaceAll(/\s/g, '')).toContain(fake.sha256);
  expect(shown).toMatch(/Subject\s+\S/);
  await looked(page, '2 tls');
  // A field that was left out is told in the dialog.
  await press(page, 'Confirm and continue');
  await page.waitForSelector(`${DIALOG} #confirm-error`);
  // The way from the summary to the field is no way out.
  await page.click(`${DIALOG} [role="alert"] a[href="#confirm"]`);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('confirm');
  expect(await page.locator(DIALOG).count()).toBe(1);
  await page.locator(`${DIALOG} #step-title`).focus();
  await press(page, 'confirm', 'Space');
  await press(page, 'Confirm and continue');
  await at(page, 'login');
  expect(await page.inputValue(`${DIALOG} #password`)).toBe('');
  await tabTo(page, 'username');
  await page.keyboard.type(fake.account.username);
  await tabTo(page, 'password');
  await page.keyboard.type(fake.account.password);
  await page.keyboard.press('Enter');
  await at(page, 'certificate');
  const { ca_sha256 } = scene.ready.endpoint;
  expect((await said(page)).replaceAll(/\s/g, '')).toContain(ca_sha256);
  await looked(page, '3 certificate');
  await press(page, 'Review');
  await at(page, 'review');
  expect(await page.inputValue(`${DIALOG} #password`)).toBe(fake.account.password);
  await looked(page, '4 review');
  await press(page, 'Trust this certificate');
  await page.waitForSelector(`${DIALOG} >> text=Follow the job`);
  await page.click(`${DIALOG} >> text=It runs as a job`);
  await looked(page, '5 queued');
  await house.appliance.runner.idle();
  expect(fake.trusted).toHaveLength(1);
  await press(page, 'Close');
  await page.waitForSelector('dialog.task', { state: 'detached' });
  expect(page.url().replace(/#.*/, '')).toBe(review);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Certificate trust');
  expect([await page.inputValue('#password'), await page.inputValue('#depot_password')]).toEqual([
    fake.account.password,
    DEPOT_PASSWORD,
  ]);
  // The wizard behind it goes on: its labels and its script are its own again.
  expect(await page.locator('label[for="depot_password"]').count()).toBe(1);
  await page.click('button:has-text("Configure the depot")');
  await page.waitForURL(/\/offline-depot\/tasks\/job_/);
  await house.appliance.runner.idle();
  await context.close();
});

test('Escape asks before what was entered is given up, and leaves the page behind as it was', async () => {
  const context = await contextOf();
  const page = await open(HELPER, context);
  await press(page, 'Certificate trust');
  await at(page, 'server');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog.task', { state: 'detached' });
  // Twice, before the first one's page is there.
  await page.evaluate(() => {
    const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Certificate trust')!;
    link.click();
    link.click();
  });
  await at(page, 'server');
  expect(await page.locator('dialog.task').count()).toBe(1);
  await page.locator('#step-title').focus();
  await tabTo(page, 'server');
  await page.keyboard.type(serverOf(fake));
  await page.keyboard.press('Escape');
  await page.waitForSelector('#discard:modal');
  await press(page, 'Keep on');
  expect(await page.inputValue(`${DIALOG} #server`)).toBe(serverOf(fake));
  await page.keyboard.press('Escape');
  await page.waitForSelector('#discard:modal');
  await press(page, 'Give up');
  await page.waitForSelector('dialog.task', { state: 'detached' });
  expect(page.url()).toBe(house.origin + HELPER);
  expect(await page.evaluate(() => document.querySelector<HTMLElement>('.shell')!.inert)).toBe(false);
  await context.close();
});

test('the browser’s back button closes it, with the step behind it', async () => {
  const context = await contextOf();
  const page = await open(HELPER, context);
  await page.click('a:has-text("Configure offline depot")');
  await page.fill('#server', serverOf(fake));
  await page.click('text=Look at its certificate');
  await page.waitForSelector('[data-wizard="tls"]:not([aria-busy="true"])');
  // Any page may link to the task.
  await page.evaluate((href) => {
    const link = document.createElement('a');
    Object.assign(link, { href, textContent: 'Beside' });
    link.dataset.dialog = 'true';
    document.querySelector('main')!.append(link);
  }, TRUST);
  await page.click('text=Beside');
  await at(page, 'server');
  await page.goBack();
  await page.waitForSelector('dialog.task', { state: 'detached' });
  await page.waitForSelector('main [data-wizard="server"]:not([aria-busy="true"])');
  await context.close();
});

test('without script it is a page of its own', async () => {
  const context = await contextOf(false);
  const page = await open(HELPER, context);
  await page.click('.tiles a:has-text("Certificate trust")');
  expect([new URL(page.url()).pathname, await page.locator('dialog.task').count()]).toEqual([TRUST, 0]);
  expect(await page.locator('main [data-wizard="server"]').count()).toBe(1);
  await context.close();
});
