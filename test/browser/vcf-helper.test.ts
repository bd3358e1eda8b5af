// The dialog "Generate FQDNs" in a real browser: a live preview, the confirmed steps without leaving the dialog, by
// keyboard alone, and without script at all; accessible in both themes.
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { violations } from '../setup/axe.ts';
import { leads, startBrowser, stopClock } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const HELPER = '/ui/management/vcf-helper';
const DIALOG = `${HELPER}?tool=generated-fqdns`;
const FILLED = `${DIALOG}&prefix=m01-&domain=lab.test&start_ipv4_cidr=10.20.0.20/24`;

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let context: BrowserContext;
let faults: string[] = [];

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'ada');
  browser = await startBrowser();
  context = await contextOf(true);
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});
beforeEach(async () => {
  await house.services.store.write(async (tx) => {
    await tx.run('DELETE FROM dns_record');
    await tx.run('DELETE FROM dns_zone');
  });
  for (const name of ['lab.test', 'site-b.lab.test']) await api('/api/v1/dns/zones', { name });
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

const api = (path: string, body: unknown) => house.send('POST', path, { token: admin.token, body });
const record = (fqdn: string, value: string) => api('/api/v1/dns/records', { fqdn, type: 'A', value });
const saved = async () =>
  (await house.services.store.one<{ count: number }>('SELECT count(*) AS count FROM dns_record'))!.count;
const rows = (page: Page, state: string) => page.locator('.names tbody tr', { hasText: state }).count();

test('the preview follows what is typed, and the address of the page follows the preview', async () => {
  await record('jump01.lab.test', '10.20.0.22');
  // How fast somebody types is not the machine's business.
  const own = await contextOf(true);
  await stopClock(own);
  const page = await open(DIALOG, own);
  expect(await page.evaluate(() => document.querySelector('dialog')?.matches(':modal'))).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('start_ipv4_cidr');
  const asked: string[] = [];
  page.on('request', (request) => {
    // Not what any page does to stay true.
    if (request.headers()['groundcrew-refresh']) return;
    asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.locator('#prefix').pressSequentially('m01-');
  await page.clock.runFor(200);
  // An answer that is on its way belongs to what was typed before: it is waited for no longer.
  await page.route('**/vcf-helper?*', () => undefined);
  const dropped = page.waitForEvent('requestfailed');
  await page.locator('#start_ipv4_cidr').pressSequentially('10.20.0.20/2');
  await page.clock.runFor(1000);
  await page.locator('#start_ipv4_cidr').pressSequentially('4');
  await dropped;
  await page.unroute('**/vcf-helper?*');
  await page.clock.runFor(1000);
  await page.waitForSelector('.names tbody tr >> text=10.20.0.37');
  expect(await rows(page, 'planned')).toBe(17);
  expect(await page.locator('.names').textContent()).toContain('passed over .22: used, jump01.lab.test');
  expect(await page.inputValue('#start_ipv4_cidr')).toBe('10.20.0.20/24');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('start_ipv4_cidr');
  await page.waitForURL(/start_ipv4_cidr=10\.20\.0\.20%2F24/);
  // Nothing is asked while somebody types on, and nothing but the page itself is asked for.
  expect(asked.filter((each) => each.includes('vcf-helper'))).toHaveLength(2);
  expect(asked.every((each) => each.startsWith('GET'))).toBe(true);
  await page.selectOption('#catalog', 'vvf-9.1');
  await page.clock.runFor(1000);
  await page.waitForSelector('footer >> text=Create 6 records');
  await page.reload();
  await page.waitForSelector('footer >> text=Create 6 records');
  await own.close();
});

test('a fault shows at its field while it is typed, and goes, without losing the focus', async () => {
  const page = await open(FILLED);
  await page.fill('#prefix', '');
  await page.locator('#prefix').pressSequentially('m_');
  await page.waitForSelector('#prefix-error');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('prefix');
  await page.keyboard.press('Backspace');
  await page.waitForSelector('#prefix-error', { state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('prefix');
  expect(await page.inputValue('#prefix')).toBe('m');
  await page.close();
});

test('creation is confirmed, keeps the dialog open, and ends with Done; deletion the same', async () => {
  await record('m01-vc01.lab.test', '10.20.0.5');
  const page = await open(FILLED);
  const create = page.getByRole('button', { name: 'Create 16 records' });
  await create.click();
  expect(await saved()).toBe(1); // the box is required
  await page.check('#confirm');
  await create.click();
  await page.waitForSelector('header >> text=16 records created, 1 name was there before.');
  expect(await page.evaluate(() => document.querySelector('dialog')?.matches(':modal'))).toBe(true);
  expect([await rows(page, 'created'), await rows(page, 'existing'), await saved()]).toEqual([16, 1, 17]);
  const done = page.getByRole('link', { name: 'Done' });
  expect(await done.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.getByRole('link', { name: 'Delete generated…' }).click();
  await page.waitForSelector('.confirm >> text=Delete 16 generated records?');
  expect(await page.locator('.confirm').textContent()).toContain('m01-vc01, A record made by hand');
  await page.getByRole('link', { name: 'Keep them' }).click();
  await page.waitForSelector('.confirm', { state: 'detached' });
  await page.getByRole('link', { name: 'Delete generated…' }).click();
  await page.getByRole('button', { name: 'Delete 16 records' }).click();
  await page.waitForSelector('header >> text=16 records deleted, 1 name preserved.');
  expect([await rows(page, 'planned'), await saved()]).toEqual([16, 1]);
  await page.close();
});

test('a double click confirms once, and says what the first one did', async () => {
  const page = await open(FILLED);
  await page.check('#confirm');
  await page.getByRole('button', { name: 'Create 17 records' }).dblclick();
  await page.waitForSelector('header >> text=17 records created.');
  await page.getByRole('link', { name: 'Delete generated…' }).click();
  await page.getByRole('button', { name: 'Delete 17 records' }).dblclick();
  await page.waitForSelector('header >> text=17 records deleted.');
  expect(await saved()).toBe(0);
  await page.close();
});

test('two tabs: what the other one created is not called nothing', async () => {
  const [first, second] = [await open(FILLED), await open(FILLED)];
  for (const page of [first, second]) {
    await page.check('#confirm');
    await page.getByRole('button', { name: 'Create 17 records' }).click();
    await page.waitForSelector('footer >> text=Every name has an address.');
  }
  const said = await second.locator('.refusal').textContent();
  expect(said).toContain('Nothing more was created: the names are there already');
  expect(said).not.toContain('Nothing was created');
  expect(await saved()).toBe(17);
  await first.close();
  await second.close();
});

test('only zones in which machines can have names are offered', async () => {
  for (const name of ['20.10.in-addr.arpa', '_msdcs.lab.test', 'home.arpa']) await api('/api/v1/dns/zones', { name });
  const page = await open(DIALOG);
  const offered = await page
    .locator('#domain option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  expect(offered.sort()).toEqual(['home.arpa', 'lab.test', 'site-b.lab.test']);
  await page.close();
});

test('when no answer comes back the dialog stays and says so, and goes on when the next one comes', async () => {
  const page = await open(FILLED);
  await page.route('**/vcf-helper?*', (route) => route.abort());
  await page.fill('#prefix', 'm02-');
  await page.waitForSelector('header >> text=No answer came back. Change a field');
  expect(await page.inputValue('#prefix')).toBe('m02-');
  expect(await page.getByRole('button', { name: 'Create 17 records' }).isDisabled()).toBe(true);
  await page.unroute('**/vcf-helper?*');
  await page.fill('#prefix', 'm03-');
  await page.waitForSelector('.names >> text=m03-vc01.lab.test');
  expect(await page.locator('header').first().textContent()).not.toContain('No answer');
  await page.route('**/generated-fqdns', (route) => route.abort());
  await page.check('#confirm');
  await page.getByRole('button', { name: 'Create 17 records' }).click();
  await page.waitForSelector('header >> text=No answer came back. Reload');
  expect(await saved()).toBe(0);
  await page.close();
});

test('Done closes the dialog, and so does Escape', async () => {
  await api('/api/v1/vcf-helper/generated-fqdns', {
    catalog: 'vcf-9.1',
    prefix: 'm01-',
    domain: 'lab.test',
    start_ipv4_cidr: '10.20.0.20/24',
  });
  const page = await open(FILLED);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.waitForURL(house.origin + HELPER);
  expect(await page.locator('dialog.sheet').count()).toBe(0);
  await page.getByRole('link', { name: 'm01-*.lab.test' }).click();
  await page.waitForSelector('dialog:modal');
  await page.keyboard.press('Escape');
  await page.waitForURL(house.origin + HELPER);
  await page.close();
});

test('another operator was faster: a conflict and the fresh preview, to be confirmed anew', async () => {
  const page = await open(FILLED);
  await page.check('#confirm');
  await record('jump01.lab.test', '10.20.0.20');
  await page.getByRole('button', { name: 'Create 17 records' }).click();
  await page.waitForSelector('.refusal >> text=the addresses changed after your preview');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('refusal');
  expect([await saved(), await page.isChecked('#confirm')]).toEqual([1, false]);
  expect(await page.locator('.names tbody tr').first().textContent()).toContain('10.20.0.21');
  await page.check('#confirm');
  await page.getByRole('button', { name: 'Create 17 records' }).click();
  await page.waitForSelector('header >> text=17 records created.');
  await page.close();
});

test('by keyboard alone, from the page to the created names', async () => {
  const page = await open(HELPER);
  await page.getByRole('link', { name: 'Generate FQDNs' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog:modal');
  await page.keyboard.type('10.20.0.20/24');
  await page.waitForSelector('dialog:not(:has([aria-busy="true"])) footer >> text=Create 17 records');
  // Tab stays in the dialog, and comes to everything in it.
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.id === 'confirm')) break;
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
      ),
    ).toBe(true);
  }
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.waitForSelector('header >> text=17 records created.');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Done');
  await page.keyboard.press('Enter');
  await page.waitForURL(house.origin + HELPER);
  expect(await saved()).toBe(17);
  await page.close();
});

test('without script: preview, creation, deletion, done', async () => {
  const plain = await contextOf(false);
  const page = await open(HELPER, plain);
  const press = (role: 'link' | 'button', name: string) => leads(page, () => page.getByRole(role, { name }).click());
  await press('link', 'Generate FQDNs');
  await page.fill('#prefix', 'm01-');
  await page.fill('#start_ipv4_cidr', '10.20.0.20/24');
  await press('button', 'Preview');
  await page.check('#confirm');
  await press('button', 'Create 17 records');
  expect(await page.locator('dialog header').textContent()).toContain('17 records created.');
  expect(await saved()).toBe(17);
  await press('link', 'Delete generated…');
  await press('button', 'Delete 17 records');
  expect(await page.locator('dialog header').textContent()).toContain('17 records deleted.');
  expect(await saved()).toBe(0);
  await press('link', 'Close');
  expect(page.url()).toBe(house.origin + HELPER);
  await plain.close();
});

test('the dialog fits and is accessible: both themes, wide and narrow, planned, confirming and refused', async () => {
  await record('m01-vc01.lab.test', '10.20.0.5');
  const states = [
    FILLED,
    `${FILLED}&start_ipv6_cidr=fd00:20::20/64`,
    `${FILLED}&confirm=delete`,
    `${FILLED}&check=true`,
    `${DIALOG}&prefix=m_&start_ipv4_cidr=1`,
    `${DIALOG}&start_ipv4_cidr=10.20.0.250/24`,
  ];
  const page = await context.newPage();
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const state of states) {
      await page.goto(house.origin + state);
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
