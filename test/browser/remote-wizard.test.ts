// Tasks on remote machines in a real browser: by keyboard alone, without script at all, back and forth; a typed password
// stays in the page until the last step; keys are found by typing; accessible in both themes, wide and narrow.
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { makeCertificate } from '../fakes/tls-target.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { violations } from '../setup/axe.ts';
import { atStep as at, leads, startBrowser } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';
import {
  IMPORT,
  loggedIn,
  manager,
  permitLoopback,
  serverOf,
  stored,
  TRUST,
  toLogin,
  toTls,
} from '../setup/remote-scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const CA = makeCertificate({ subject: '/O=Lab/CN=Lab root', names: '' });

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let fake: VcfAppliance;
let browser: Browser;
let context: BrowserContext;
let choice: { vault_id: string; choice_id: string };
let faults: string[] = [];

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'ada');
  await permitLoopback(house, admin);
  fake = await manager();
  choice = await stored(house, admin, fake, 'management-domain');
  browser = await startBrowser();
  context = await contextOf(true);
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

async function contextOf(script: boolean): Promise<BrowserContext> {
  const made = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = admin.cookie.split('=');
  await made.addCookies([{ name, value, url: house.origin }]);
  return made;
}

async function open(path: string, where = context): Promise<Page> {
  const page = await where.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(house.origin + path);
  return page;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '');
const clear = async () => {
  await house.services.store.write((tx) => tx.run("DELETE FROM vault_entry WHERE source <> 'manual'"));
  fake.trusted.length = 0;
};

/** Tab until the named thing has the focus, as somebody without a mouse gets there. */
async function tabTo(page: Page, what: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key);
    const words = await page.evaluate(() => {
      const here = document.activeElement as HTMLInputElement | null;
      return [here?.id, here?.name, here?.textContent?.trim()].map(String);
    });
    if (words.includes(what)) return;
  }
  throw new Error(`Tab never came to ${what}.`);
}

/** In a list that has the focus, one choice after the other; each may bring the step anew. */
async function arrowTo(page: Page, key: 'ArrowDown' | 'ArrowUp', id: string, value: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    if ((await page.inputValue(`#${id}`)) === value) return;
    await page.keyboard.press(key);
    await at(page, 'credential');
    expect(await focused(page)).toBe(id);
  }
  throw new Error(`${key} never came to the choice.`);
}

test('by keyboard alone, in place: from the helper’s page to passwords in a vault, the password typed once', async () => {
  await clear();
  const page = await open('/ui/management/vcf-helper');
  let loads = 0;
  page.on('load', () => {
    loads++;
  });
  await tabTo(page, 'Import passwords');
  await page.keyboard.press('Enter');
  // A vault holds an entry: it may be the credential.
  await at(page, 'credential');
  loads = 0;
  await tabTo(page, 'Continue');
  await page.keyboard.press('Enter');
  await at(page, 'server');
  expect(await focused(page)).toBe('step-title');
  await tabTo(page, 'server');
  await page.keyboard.type(serverOf(fake));
  await page.keyboard.press('Enter');
  await at(page, 'tls');
  expect(await focused(page)).toBe('step-title');
  expect((await page.locator('#sha256-shown').textContent())?.replace(/\s/g, '')).toBe(fake.sha256);
  const facts = await page
    .locator('.wizard-work .facts-list > div')
    .evaluateAll((rows) => rows.map((row) => ['dt', 'dd'].map((part) => row.querySelector(part)?.textContent ?? '')));
  expect(Object.fromEntries(facts)).toMatchObject({
    Subject: 'O=VMware, CN=appliance.lab.test',
    Issuer: 'itself (self-signed)',
    Valid: expect.stringMatching(/^until in \d+ [dh]$/),
    Names: 'appliance.lab.test, 127.0.0.1',
  });
  const until = (await page.locator('.wizard-work .facts-list time').getAttribute('datetime')) ?? '';
  expect(Math.ceil((Date.parse(until) - Date.now()) / 86_400_000)).toBe(2);
  // What comes later can be seen, and not gone to.
  expect(await page.locator('.wizard-steps .later').allTextContents()).toHaveLength(3);
  expect(await page.locator('.wizard-steps .later a').count()).toBe(0);
  await tabTo(page, 'confirm');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await at(page, 'login');
  await tabTo(page, 'username');
  await page.keyboard.type(fake.account.username);
  await tabTo(page, 'password');
  await page.keyboard.type(fake.account.password);
  await page.keyboard.press('Enter');
  await at(page, 'select');
  await tabTo(page, 'Review');
  await page.keyboard.press('Enter');
  await at(page, 'review');
  // Remembered by the page alone: no answer carried it.
  expect(await page.inputValue('#password')).toBe(fake.account.password);
  expect(await page.textContent('#password-help')).toContain('only this page remembers it');
  expect(await page.content()).not.toContain(fake.account.password);
  await tabTo(page, 'Import 14 passwords');
  await page.keyboard.press('Enter');
  await at(page, 'done');
  expect(await page.locator('.wizard-work').textContent()).toContain('Created14');
  expect(loads).toBe(0);
  await page.close();
});

test('the browser’s back button goes back step by step, with script and without', async () => {
  for (const script of [true, false]) {
    const own = await contextOf(script);
    const page = await open(`${TRUST}?step=server`, own);
    await page.fill('#server', serverOf(fake));
    await page.click('text=Look at its certificate');
    await at(page, 'tls');
    await page.check('#confirm');
    await page.click('text=Confirm and continue');
    await at(page, 'login');
    await page.fill('#username', fake.account.username);
    await page.fill('#password', fake.account.password);
    await page.click('button:has-text("Log in")');
    await at(page, 'certificate');
    await page.fill('#certificate', CA.cert);
    await page.click('.wizard-work button:has-text("Review")');
    await at(page, 'review');
    expect(await page.inputValue('#password')).toBe(script ? fake.account.password : '');
    const logins = fake.requests.filter(({ path }) => path === '/v1/tokens').length;
    for (const step of ['certificate', 'login', 'tls', 'server']) {
      await page.goBack();
      await at(page, step);
    }
    expect(fake.requests.filter(({ path }) => path === '/v1/tokens')).toHaveLength(logins);
    for (const step of ['tls', 'login', 'certificate', 'review']) {
      await page.goForward();
      await at(page, step);
    }
    // Forgotten at the TLS step, which was gone through again.
    expect(await page.inputValue('#password')).toBe('');
    expect(await page.locator('.wizard-work').textContent()).toContain(CA.sha256);
    await own.close();
  }
});

test('without script: import and certificate trust to their ends, the password asked for again at the last step', async () => {
  await clear();
  const plain = await contextOf(false);
  const page = await open(`${IMPORT}`, plain);
  const press = (what: string) => leads(page, () => page.click(what));
  await press('text=Continue');
  await page.fill('#server', serverOf(fake));
  await press('text=Look at its certificate');
  await page.check('#confirm');
  await press('text=Confirm and continue');
  await page.fill('#username', fake.account.username);
  await page.fill('#password', fake.account.password);
  await press('button:has-text("Log in")');
  await press('.wizard-work button:has-text("Review")');
  expect(await page.inputValue('#password')).toBe('');
  await page.fill('#password', fake.account.password);
  await press('text=Import 14 passwords');
  expect(await page.locator('.wizard-work').textContent()).toContain('Created14');

  await page.goto(`${house.origin}${TRUST}`);
  await page.selectOption('#vault_id', choice.vault_id);
  await press('text=Continue');
  await page.selectOption('#choice_id', choice.choice_id);
  await press('text=Continue');
  expect(await page.inputValue('#server')).toBe(serverOf(fake));
  await press('text=Look at its certificate');
  await page.check('#confirm');
  await press('text=Confirm and continue');
  await page.fill('#certificate', CA.cert);
  await press('.wizard-work button:has-text("Review")');
  expect(await page.locator('input[type="password"]').count()).toBe(0);
  await press('text=Trust this certificate');
  await house.appliance.runner.idle();
  await page.reload();
  expect(await page.locator('main').textContent()).toContain('Succeeded');
  await plain.close();
});

test('the picker by keyboard alone: keys are found by typing, and fill what can no longer be typed', async () => {
  await clear();
  const page = await open(IMPORT);
  await tabTo(page, 'vault_id');
  await arrowTo(page, 'ArrowDown', 'vault_id', choice.vault_id);
  await page.waitForSelector('#choice_id-search');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('choice_id-search');
  await page.keyboard.type('sddc elsewhere');
  expect(await page.locator('#choice_id-list [role="option"]').count()).toBe(1);
  await page.keyboard.press('Escape');
  expect(await page.locator('#choice_id-list').isVisible()).toBe(false);
  expect(await page.locator('#discard').isVisible()).toBe(false);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('admin 127');
  await page.keyboard.press('Enter');
  expect(await page.inputValue('#picked-server')).toBe(serverOf(fake));
  expect(await page.inputValue('#picked-username')).toBe('admin@local');
  expect(await page.isDisabled('#picked-password')).toBe(true);
  expect(await page.isEditable('#picked-server')).toBe(false);
  await tabTo(page, 'Continue');
  await page.keyboard.press('Enter');
  await at(page, 'server');
  expect(await page.isEditable('#server')).toBe(false);
  await tabTo(page, 'Look at its certificate');
  await page.keyboard.press('Enter');
  await at(page, 'tls');
  await tabTo(page, 'confirm');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  // No page for the login: with a script it goes on to what was read.
  await page.waitForSelector('#picks');
  await at(page, 'select');
  // Choosing manual goes back to typed logins.
  await tabTo(page, 'Credential', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await at(page, 'credential');
  await tabTo(page, 'vault_id');
  await arrowTo(page, 'ArrowUp', 'vault_id', '');
  await page.waitForSelector('#choice_id-search', { state: 'detached' });
  await tabTo(page, 'Continue');
  await page.keyboard.press('Enter');
  await at(page, 'server');
  expect(await page.isEditable('#server')).toBe(true);
  await page.close();
});

test('Escape asks before what was entered is given up', async () => {
  const page = await open(`${IMPORT}?step=server`);
  await page.fill('#server', 'vc01.lab.test');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#discard:modal');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#discard:modal', { state: 'detached' });
  expect(await page.inputValue('#server')).toBe('vc01.lab.test');
  await page.keyboard.press('Escape');
  await page.click('#discard a');
  await page.waitForURL(`${house.origin}/ui/management/vaults`);
  await page.close();
});

test('a certificate that changes before the login leads back to it, says both, and forgets the password', async () => {
  const page = await open(`${IMPORT}?step=server`);
  await page.fill('#server', serverOf(fake));
  await page.click('text=Look at its certificate');
  await at(page, 'tls');
  await page.check('#confirm');
  await page.click('text=Confirm and continue');
  await at(page, 'login');
  const before = fake.sha256;
  const seen = fake.requests.length;
  const now = await fake.changeCertificate(true);
  await page.fill('#username', fake.account.username);
  await page.fill('#password', fake.account.password);
  await page.click('button:has-text("Log in")');
  await at(page, 'tls');
  const text = async (id: string) => (await page.locator(id).textContent())?.replace(/\s/g, '');
  expect([await text('#sha256-before'), await text('#sha256-shown')]).toEqual([before, now]);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert');
  expect(fake.requests.length).toBe(seen);
  await page.check('#confirm');
  await page.click('text=Confirm and continue');
  await at(page, 'login');
  expect(await page.inputValue('#password')).toBe('');
  await page.close();
});

test('no answer: the step stays, and says so', async () => {
  const page = await open(`${IMPORT}?step=server`);
  await page.route('**/vaults/import/server', (route) => route.abort());
  await page.fill('#server', serverOf(fake));
  await page.click('text=Look at its certificate');
  await page.waitForSelector('.wizard-said >> text=No answer came back.');
  expect(await page.inputValue('#server')).toBe(serverOf(fake));
  await page.unroute('**/vaults/import/server');
  await page.click('text=Look at its certificate');
  await at(page, 'tls');
  await page.close();
});

test('each step fits and is accessible: both themes, wide and narrow', async () => {
  const chosen = await loggedIn(house, admin, IMPORT, fake);
  const select = chosen.at;
  await chosen.send('Passwords', { into: choice.vault_id });
  const trust = await loggedIn(house, admin, TRUST, fake);
  const certificate = trust.at;
  await trust.send('Certificate', { certificate: CA.cert });
  const states: [string, string][] = [
    ['credential', IMPORT],
    ['picked', `${IMPORT}?${new URLSearchParams({ step: 'credential', ...choice })}`],
    ['server', `${IMPORT}?step=server`],
    ['tls', (await toTls(house, admin, IMPORT, fake)).at],
    ['login', (await toLogin(house, admin, IMPORT, fake)).at],
    ['select', select],
    ['review', chosen.at],
    ['certificate', certificate],
    ['trust review', trust.at],
    ['settings', '/ui/management/settings/remote'],
  ];
  const page = await context.newPage();
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const [state, path] of states) {
      await page.goto(house.origin + path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await violations(page);
        expect({ state, size, colorScheme, found }).toEqual({ state, size, colorScheme, found: [] });
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect({ state, size, wider }).toEqual({ state, size, wider: false });
    }
  }
  await page.close();
});
