// Forms in a real browser: a record that two people change at once, with and without script, and a Kickstart that is checked
// while it is typed.
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { startBrowser } from '../setup/browser.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const TEXT = 'vmaccepteula\nrootpw --iscrypted {{ var.root_password_hash }}\ninstall --firstdisk\nreboot\n';

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
const contexts: BrowserContext[] = [];

const api = (method: 'POST' | 'PATCH' | 'GET', path: string, body?: object) =>
  house.send(method, `/api/v1${path}`, { token: admin.token, ...(body && { body }) });

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  await api('POST', '/dns/zones', { name: 'lab.test' });
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

async function open(path: string, javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  contexts.push(context);
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  await page.goto(house.origin + path);
  return page;
}

test.each([
  ['with script', true],
  ['without script', false],
])('a record that two people change keeps what each of them changed, %s', async (how, script) => {
  const fqdn = `${how.replace(' ', '-')}.lab.test`;
  const { body: record } = await api('POST', '/dns/records', { fqdn, type: 'A', value: '10.20.10.11' });
  const page = await open(`/ui/management/dns/records/${record.id}`, script);
  await api('PATCH', `/dns/records/${record.id}`, { description: 'Theirs' });
  await page.fill('#value', '10.20.10.77');
  await page.click('text=Save record');
  expect(await page.textContent('[role="alert"]')).toContain('Your changes do not conflict: Value.');
  expect([await page.inputValue('#value'), await page.inputValue('#description')]).toEqual(['10.20.10.77', 'Theirs']);
  await page.click('text=Save record');
  await page.waitForURL(/\/zones\//);
  expect((await api('GET', `/dns/records/${record.id}`)).body).toMatchObject({
    value: '10.20.10.77',
    description: 'Theirs',
  });
});

test('a form with empty required fields is sent, and the summary names them all', async () => {
  const page = await open('/ui/management/dhcp/scopes/new', true);
  await page.click('text=Add scope');
  await page.waitForSelector('#errors');
  for (const field of ['name', 'subnet_cidr']) expect(await page.isVisible(`#${field}-error`)).toBe(true);
});

test('a Kickstart is checked while it is typed, keeps its text, and comes back for the own password', async () => {
  const page = await open('/ui/management/network-boot/kickstarts/new', true);
  await page.fill('#name', 'Typed');
  await page.fill('#text', TEXT.replace('install --firstdisk\n', ''));
  await page.waitForSelector('#preview >> text=One of install, upgrade and installorupgrade is missing.');
  await page.click('text=Add Kickstart');
  await page.waitForSelector('#errors');
  expect(await page.inputValue('#text')).toBe(TEXT.replace('install --firstdisk\n', ''));
  await page.fill('#text', TEXT);
  await page.waitForSelector('#preview >> text=Text checked: no fault');
  expect((await api('GET', '/network-boot/kickstarts')).body.items).toEqual([]);
  await page.click('text=Add Kickstart');
  await page.waitForSelector('#saved-text');
  expect(await page.inputValue('#text')).toBe('');
  await page.click('text=Load the saved text');
  await page.fill('#own_password', PASSWORD);
  await page.click('text=Load text');
  await page.waitForURL(/\/text$/);
  expect(await page.inputValue('#text')).toBe(TEXT);
});

test('without script a button checks the text', async () => {
  const page = await open('/ui/management/network-boot/kickstarts/new', false);
  await page.fill('#text', 'vmaccepteula\n');
  await page.click('button[name="dry_run"]');
  expect(await page.textContent('#preview')).toContain('One of install, upgrade and installorupgrade is missing.');
  expect(await page.inputValue('#text')).toBe('vmaccepteula\n');
});
