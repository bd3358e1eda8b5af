// Pointing an appliance at the depot, in a real browser: both passwords typed once and remembered by the page alone, a depot
// to be replaced, the page of the job up to its end, the same without script; accessible in both themes, wide and narrow.
// With SHOTS naming a folder, each step is left there as a picture.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { violations } from '../setup/axe.ts';
import { atStep as at, leads, startBrowser, takePicture } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';
import {
  configured,
  DEPOT,
  DEPOT_PASSWORD,
  type DepotScene,
  depotScene,
  hurry,
  reviewed,
} from '../setup/remote-depot-scene.ts';
import { loggedIn, manager, permitLoopback, serverOf, stored } from '../setup/remote-scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const { SHOTS } = process.env;

jest.setTimeout(300_000);

let scene: DepotScene;
let house: House;
let admin: Credentials;
let browser: Browser;
let context: BrowserContext;
const fakes: VcfAppliance[] = [];
let faults: string[] = [];

const OLD = {
  depotConfiguration: { isOfflineDepot: true, url: 'https://depot-old.lab.example' },
  offlineAccount: { username: 'reader', status: 'DEPOT_NOT_AVAILABLE', message: 'Connection timed out' },
};

async function appliance(options: Parameters<typeof manager>[0] = {}): Promise<VcfAppliance> {
  const fake = await manager(options);
  fakes.push(fake);
  return fake;
}

beforeAll(async () => {
  hurry();
  scene = await depotScene({ assets: loadAssets(ASSETS) });
  ({ house, admin } = scene);
  browser = await startBrowser();
  context = await contextOf(admin, true);
});
afterAll(async () => {
  await browser?.close();
  for (const fake of fakes) await fake.stop();
  await house?.close();
});
afterEach(() => {
  expect(faults).toEqual([]);
  faults = [];
});

async function contextOf(who: Credentials, script: boolean, at = house): Promise<BrowserContext> {
  const made = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = who.cookie.split('=');
  await made.addCookies([{ name, value, url: at.origin }]);
  return made;
}

async function open(path: string, where = context, at = house): Promise<Page> {
  const page = await where.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(at.origin + path);
  return page;
}

test('in place, from the helper’s page to the end of the job: each password typed once, the old depot confirmed', async () => {
  const fake = await appliance({ depot: { initial: OLD } });
  const page = await open('/ui/management/vcf-helper');
  await page.click('a:has-text("Configure offline depot")');
  await at(page, 'server');
  await page.fill('#server', serverOf(fake));
  await page.click('text=Look at its certificate');
  await at(page, 'tls');
  await page.check('#confirm');
  await page.click('text=Confirm and continue');
  await at(page, 'login');
  await page.fill('#username', fake.account.username);
  await page.fill('#password', fake.account.password);
  await page.click('button:has-text("Log in")');
  await at(page, 'depot');
  expect(await page.locator('.wizard-work').textContent()).toContain('https://depot-old.lab.example');
  expect(await page.inputValue('#depot_password')).toBe('');
  await page.fill('#depot_password', 'a wrong one');
  await page.click('.wizard-work button:has-text("Review")');
  await page.waitForSelector('#depot_password-error');
  await page.fill('#depot_password', DEPOT_PASSWORD);
  await page.click('.wizard-work button:has-text("Review")');
  await at(page, 'review');
  expect([await page.inputValue('#password'), await page.inputValue('#depot_password')]).toEqual([
    fake.account.password,
    DEPOT_PASSWORD,
  ]);
  await page.click('button:has-text("Replace the depot")');
  await page.waitForSelector('#replace-error');
  await page.check('#replace');
  await page.click('button:has-text("Replace the depot")');
  await page.waitForURL(/\/offline-depot\/tasks\/job_/);
  await page.waitForSelector('text=no longer from');
  expect(await page.locator('main').textContent()).toContain('https://depot-old.lab.example as reader');
  await page.close();
});

test('without script, with a stored login and the depot’s password in each of the two steps', async () => {
  const fake = await appliance({ version: '9.1.1.0.25100000' });
  const choice = await stored(house, admin, fake, 'management-domain');
  const plain = await contextOf(admin, false);
  const page = await open(DEPOT, plain);
  const press = (what: string) => leads(page, () => page.click(what));
  await page.selectOption('#vault_id', choice.vault_id);
  await press('text=Continue');
  await page.selectOption('#choice_id', choice.choice_id);
  await press('text=Continue');
  await press('text=Look at its certificate');
  await page.check('#confirm');
  await press('text=Confirm and continue');
  await press('text=Log in and read');
  await page.fill('#depot_password', DEPOT_PASSWORD);
  await press('.wizard-work button:has-text("Review")');
  expect(await page.inputValue('#depot_password')).toBe('');
  await page.fill('#depot_password', DEPOT_PASSWORD);
  await press('button:has-text("Configure the depot")');
  await house.appliance.runner.idle();
  await page.reload();
  expect(await page.locator('main').textContent()).toContain(
    'It takes its software from the depot of this appliance now.',
  );
  await plain.close();
});

test('going back to the server forgets both passwords', async () => {
  const fake = await appliance();
  const page = await open(`${DEPOT}?step=server`);
  const through = async () => {
    await page.fill('#server', serverOf(fake));
    await page.click('text=Look at its certificate');
    await at(page, 'tls');
    await page.check('#confirm');
    await page.click('text=Confirm and continue');
    await at(page, 'login');
    await page.fill('#username', fake.account.username);
    await page.fill('#password', fake.account.password);
    await page.click('button:has-text("Log in")');
    await at(page, 'depot');
  };
  await through();
  await page.fill('#depot_password', DEPOT_PASSWORD);
  await page.click('.wizard-work button:has-text("Review")');
  await at(page, 'review');
  const review = page.url();
  await page.click('.wizard-steps a:has-text("Server")');
  await at(page, 'server');
  await page.goto(review);
  await at(page, 'review');
  expect([await page.inputValue('#password'), await page.inputValue('#depot_password')]).toEqual(['', '']);
  await page.close();
});

/** Pages in the states that somebody comes to see, each made when it is looked at: one user has few drafts at a time. */
async function sights(): Promise<[state: string, path: () => Promise<string>][]> {
  const fresh = await appliance();
  const other = await appliance({ depot: { initial: OLD } });
  const { endpoint } = scene.ready;
  const ours = {
    depotConfiguration: { isOfflineDepot: true, url: endpoint.url },
    offlineAccount: { username: endpoint.username, status: 'DEPOT_CONNECTION_SUCCESSFUL' },
  };
  const right = await appliance({ depot: { initial: ours, sync: { earlier: '2026-11-20T10:00:00.000Z' } } });
  const refusing = await appliance({ depot: { test: 'DEPOT_INVALID_CREDENTIAL' } });
  const failing = await appliance({ depot: { sync: { states: ['SYNCING', 'SYNC_FAILED'] } } });
  const slow = await appliance({ depot: { sync: { states: ['SYNCING'] } } });
  const ended = async (fake: VcfAppliance) => {
    const { at } = await configured(house, admin, fake);
    await house.appliance.runner.idle();
    return at;
  };
  const read = async (fake: VcfAppliance) => (await loggedIn(house, admin, DEPOT, fake)).at;
  const review = async (fake: VcfAppliance) => (await reviewed(house, admin, fake)).at;
  return [
    ['1 credential', async () => DEPOT],
    ['2 depot, none yet', () => read(fresh)],
    ['3 depot, another', () => read(other)],
    ['4 review', () => review(fresh)],
    ['5 review, another', () => review(other)],
    ['6 review, right already', () => review(right)],
    ['7 done', () => ended(fresh)],
    ['8 nothing to do', () => ended(right)],
    ['9 refused', () => ended(refusing)],
    ['10 not synchronised', () => ended(failing)],
    ['11 running', async () => (await configured(house, admin, slow)).at],
  ];
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

async function look(states: [string, () => Promise<string>][], page: Page, where = house): Promise<void> {
  for (const [state, path] of states) {
    await page.goto(where.origin + (await path()));
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        if (SHOTS) {
          mkdirSync(SHOTS, { recursive: true });
          const name = `${state.replaceAll(/\W+/g, '-')}-${size.width}-${colorScheme}.png`;
          await takePicture(page, { path: join(SHOTS, name), fullPage: true });
        }
        const found = await violations(page);
        expect({ state, size, colorScheme, found }).toEqual({ state, size, colorScheme, found: [] });
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect({ state, size, wider }).toEqual({ state, size, wider: false });
    }
  }
}

test('each step fits and is accessible: both themes, wide and narrow', async () => {
  const page = await context.newPage();
  await look(await sights(), page);
  const running = page.url().split('/').at(-1);
  await house.send('POST', `/api/v1/jobs/${running}/cancel`, { token: admin.token });
  await house.appliance.runner.idle();
  await page.close();
});

test('and what it says while the depot here is not ready', async () => {
  const bare = await House.open({ assets: loadAssets(ASSETS) });
  try {
    const who = await bare.actor('admin');
    await permitLoopback(bare, who);
    const page = await (await contextOf(who, true, bare)).newPage();
    await look([['0 not ready', async () => DEPOT]], page, bare);
    expect(await page.locator('main form').count()).toBe(0);
  } finally {
    await bare.close();
  }
});
