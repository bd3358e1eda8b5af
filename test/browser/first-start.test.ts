// An appliance that starts from an archive, and is reset, in a real browser without script: found from the overview, by
// keyboard, in both themes, wide and narrow.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { encryptAge } from '../../shared/ground/age/age.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { startBrowser } from '../setup/browser.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';
import { bytesOf } from '../shared/appliance/archive/scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const SHOTS = join(import.meta.dirname, 'screenshots');
const PASSPHRASE = 'of the archive of the test';
const NAME = 'gc01.lab.example';

jest.setTimeout(300_000);

let browser: Browser;
let folder: string;
let former: House;
let file: string;
const opened: House[] = [];

async function another(): Promise<{ house: House; admin: Credentials }> {
  const house = await House.open({ assets: loadAssets(ASSETS) });
  opened.push(house);
  return { house, admin: await house.actor('admin', undefined, 'admin') };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-first-start-'));
  mkdirSync(SHOTS, { recursive: true });
  const { house, admin } = await another();
  former = house;
  await furnish(house, admin);
  const pieces: Buffer[] = [];
  const sealed = encryptAge([await bytesOf(house, true)], { passphrase: PASSPHRASE, log_n: 10 }, systemEntropy);
  for await (const piece of sealed) pieces.push(piece);
  file = join(folder, 'former.gcarchive.age');
  writeFileSync(file, Buffer.concat(pieces));
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  for (const house of opened) await house.close();
  rmSync(folder, { recursive: true, force: true });
});

async function visit(house: House, { cookie }: Credentials, look: { narrow?: true; dark?: true } = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: look.narrow ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: look.dark ? 'dark' : 'light',
  });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  await page.goto(`${house.origin}/ui/management`);
  return page;
}

const main = (page: Page) => page.getByRole('main');
const shot = (page: Page, name: string) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
const isWide = (page: Page) => page.locator('html').evaluate((element) => element.scrollWidth <= element.clientWidth);

test('from the overview to the state of the archive, without script; a refused form keeps what may be kept', async () => {
  const { house, admin } = await another();
  const page = await visit(house, admin);
  await main(page).getByRole('link', { name: 'Start from an archive' }).click();
  await shot(page, 'first-start.wide.light');
  await page.getByLabel('Archive', { exact: true }).setInputFiles(file);
  await page.getByLabel('Passphrase').fill('another passphrase');
  await page.getByLabel('Web terminal').check();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Start from the archive' }).click();
  await page.getByRole('link', { name: /^Passphrase: / }).waitFor();
  expect(await page.getByLabel('Web terminal').isChecked()).toBe(true);
  await shot(page, 'first-start-refused.wide.light');
  await page.getByLabel('Web terminal').uncheck();
  await page.getByLabel('Archive', { exact: true }).setInputFiles(file);
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByLabel('Your password').fill(PASSWORD);
  // By keyboard, as far as a file is chosen without one.
  await page.getByLabel('Your password').press('Enter');
  await page.waitForURL(/appliance-apply/);
  expect((await bytesOf(house, true)).equals(await bytesOf(former, true))).toBe(true);
  await page.goto(`${house.origin}/ui/management/first-start`);
  expect(await main(page).textContent()).toContain('First start is over');
  await shot(page, 'first-start-over.wide.light');
  await page.context().close();
});

test('the name and the own password reset it; then it is new', async () => {
  const { house, admin } = await another();
  await furnish(house, admin);
  await house.services.store.write((tx) => tx.run("UPDATE job SET state = 'cancelled' WHERE finished_at IS NULL"));
  const page = await visit(house, admin);
  await page.goto(`${house.origin}/ui/management/archives`);
  await main(page).getByRole('link', { name: 'Factory reset' }).click();
  await page.getByLabel('Name of the appliance').fill(NAME);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await main(page).getByText('This would go').waitFor();
  await shot(page, 'factory-reset-dry.wide.light');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Reset the appliance' }).click();
  await page.waitForURL(/sign-in/);
  expect(await house.services.store.all('SELECT id FROM dns_zone')).toEqual([]);
  await page.context().close();
});

test.each([
  ['wide', 'dark'],
  ['narrow', 'light'],
] as const)('both pages fit, %s and %s', async (width, theme) => {
  const { house, admin } = await another();
  const page = await visit(house, admin, {
    ...(width === 'narrow' && { narrow: true }),
    ...(theme === 'dark' && { dark: true }),
  });
  for (const name of ['first-start', 'factory-reset']) {
    await page.goto(`${house.origin}/ui/management/${name}`);
    expect(await isWide(page)).toBe(true);
    await shot(page, `${name}.${width}.${theme}`);
  }
  await page.context().close();
});
