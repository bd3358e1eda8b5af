// The keys of lists in a real browser: through the rows with j and k, x for the box, e for the row, / for the search, ? for what
// the keys are; and nothing of it while somebody types. On a list of a collection, on others, and on a phone's width. With SHOTS
// naming a folder, each list is left there as a picture, in both themes and both widths.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { queueJob } from '../../shared/kernel/jobs/job.ts';
import { violations } from '../setup/axe.ts';
import { leads, startBrowser, takePicture } from '../setup/browser.ts';
import { type Furnished, furnish } from '../setup/furnish.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const UI = '/ui/management';
const { SHOTS } = process.env;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let things: Furnished;

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS), ticker: false });
  admin = await house.actor('admin', undefined, 'ada');
  things = await furnish(house, admin);
  for (const name of ['ben', 'cleo', 'dora']) {
    const body = { name, role: 'viewer', password: `a long phrase of ${name} 7` };
    expect((await house.send('POST', '/api/v1/users', { token: admin.token, body })).status).toBe(201);
  }
  await waits('waits for nobody');
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

/** A job that nobody runs. */
const waits = (subject: string) =>
  house.services.store.write((tx) =>
    queueJob(tx, new Date(), house.services.entropy, {
      kind: 'unknown-kind',
      subject,
      input: {},
      created_by: 'ada',
      tasks: [],
    }),
  );

async function open(path: string, size = WIDE, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ viewport: size, javaScriptEnabled });
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  await page.goto(`${house.origin}${UI}${path}`);
  return page;
}

const rowsOf = (page: Page) => page.locator('main .scroll tbody tr');
const isActive = (each: Element) => each === document.activeElement;

/** Whether what has the focus is seen to have it. */
const outlined = (page: Page) =>
  page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  });

const LISTS: [string, string, { width: number; height: number }][] = [
  ['time sources, a collection', '/ntp', WIDE],
  ['users', '/users', WIDE],
  ['API tokens', '/api-tokens', WIDE],
  ['users on a phone', '/users', PHONE],
  ['VLANs on a phone', '/vlans', PHONE],
];

describe.each(LISTS)('%s', (_name, path, size) => {
  test('is gone through by single keys, which do nothing while somebody types', async () => {
    const page = await open(path, size);
    const rows = rowsOf(page);
    const count = await rows.count();
    expect(count).toBeGreaterThan(1);
    await page.keyboard.press('j');
    expect(await rows.nth(0).evaluate(isActive)).toBe(true);
    expect(await outlined(page)).toBe(true);
    await page.keyboard.press('j');
    expect(await rows.nth(1).evaluate(isActive)).toBe(true);
    await page.keyboard.press('k');
    expect(await rows.nth(0).evaluate(isActive)).toBe(true);

    // The first row that has a box: a list may have rows that nothing is done with.
    const at = await rows.evaluateAll((all) => all.findIndex((row) => row.querySelector('input.box:not(:checked)')));
    for (let down = 0; down < at; down++) await page.keyboard.press('j');
    const box = rows.nth(at).locator('input.box');
    await page.keyboard.press('x');
    expect(await box.isChecked()).toBe(true);
    expect(await rows.nth(at).evaluate((row) => row.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('x');
    expect(await box.isChecked()).toBe(false);

    await page.keyboard.press('/');
    const field = page.locator('main .tools input[type="search"]');
    expect(await field.evaluate(isActive)).toBe(true);
    expect(await outlined(page)).toBe(true);
    await page.keyboard.type('jkxe/?');
    expect(await field.inputValue()).toBe('jkxe/?');
    expect(await page.locator('main .scroll input.box:checked').count()).toBe(0);
    expect(await page.locator('dialog.keys[open]').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`${UI}${path}`);
    await field.fill('');
    await field.blur();

    await page.keyboard.press('?');
    const keys = page.locator('dialog.keys');
    expect(await keys.isVisible()).toBe(true);
    expect(await keys.innerText()).toContain('Choose the row');
    expect(await keys.evaluate((each) => each.scrollWidth <= window.innerWidth)).toBe(true);
    // With the list of keys open, none of them reaches the list behind it.
    await page.keyboard.press('x');
    expect(await page.locator('main .scroll input.box:checked').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await keys.isVisible()).toBe(false);
    await page.context().close();
  });
});

test('e opens the row that has the focus, to edit it', async () => {
  const page = await open('/users');
  await page.keyboard.press('j');
  const href = await rowsOf(page).nth(0).locator('td.act a').getAttribute('href');
  await leads(page, () => page.keyboard.press('e'));
  expect(new URL(page.url()).pathname).toBe(href);
  await page.context().close();
});

test('e opens a row without a button by its name', async () => {
  const page = await open('/jobs');
  await page.keyboard.press('j');
  const href = await rowsOf(page).nth(0).locator('th a').first().getAttribute('href');
  await leads(page, () => page.keyboard.press('e'));
  expect(new URL(page.url()).pathname).toBe(href);
  await page.context().close();
});

test('a row keeps the focus while its list is read anew', async () => {
  const page = await open('/jobs');
  // Wide enough or not: what a script found out about the table makes it no other table.
  await page.locator('main .scroll:is(.fits, .wide)').waitFor();
  await page.keyboard.press('j');
  const focused = () => page.evaluate('document.activeElement.id');
  const row = await focused();
  expect(row).toMatch(/^row-job_/);
  const count = await rowsOf(page).count();
  await waits('waits for nobody either');
  // As when a window that was away is looked at again.
  await page.evaluate(`dispatchEvent(new Event('pagehide')); document.dispatchEvent(new Event('visibilitychange'));`);
  await rowsOf(page).nth(count).waitFor();
  expect(await focused()).toBe(row);
  await page.context().close();
});

test.each([
  ['with scripts', true],
  ['without scripts', false],
])('users are disabled by their boxes, one question and the own password, %s', async (_name, scripts) => {
  const page = await open('/users?search=o', WIDE, scripts);
  const check = async (name: string) => page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  await check('cleo');
  await check('dora');
  const verb = scripts ? 'Disable' : 'Enable';
  await page.getByRole('button', { name: `${verb} the chosen users` }).click();
  await page.getByRole('heading', { name: `${verb} these 2 users?` }).waitFor();
  await picture(page, `users-question-${scripts}`);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: `Yes, ${verb.toLowerCase()}` }).click();
  await page.getByText(`2 users are ${verb.toLowerCase()}d.`).waitFor();
  const { items } = (await house.send('GET', '/api/v1/users', { token: admin.token })).body;
  const states = (items as { name: string; enabled: boolean }[])
    .filter(({ name }) => name === 'cleo' || name === 'dora')
    .map(({ enabled }) => enabled);
  expect(states).toEqual([!scripts, !scripts]);
  await page.context().close();
});

async function picture(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await takePicture(page, { path: join(SHOTS, `${name}.png`), fullPage: true });
}

const NEW_LISTS: [string, (things: Furnished) => string][] = [
  ['users', () => '/users'],
  ['api-tokens', () => '/api-tokens'],
  ['jobs', () => '/jobs'],
  ['certificates', () => '/certificate-authority/certificates'],
  ['vault', ({ parameters }) => `/vaults/${parameters.vault_id}`],
  ['vlans', () => '/vlans'],
  ['certificate-requests', () => '/certificate-authority/requests'],
  ['alerts', () => '/alerts'],
  ['leases', () => '/dhcp/leases'],
  ['archives', () => '/archives'],
  ['import', () => '/ntp/sources/import'],
];

test.each(NEW_LISTS)(
  '%s: accessible in both themes and widths, no scroll of the page sideways',
  async (name, pathOf) => {
    for (const size of [WIDE, PHONE]) {
      const page = await open(pathOf(things), size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await picture(page, `${name}-${size.width}-${colorScheme}`);
        const found = await violations(page);
        expect({ name, size, colorScheme, found }).toEqual({ name, size, colorScheme, found: [] });
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect({ name, size, wider }).toEqual({ name, size, wider: false });
      await page.context().close();
    }
  },
);
