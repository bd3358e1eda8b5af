// The script of every page in a real browser: it follows what happens on the appliance without losing what a person types,
// finds things by keyboard, and stays small. Below the same content security policy as the rest.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { leads, startBrowser, stopClock } from '../setup/browser.ts';
import { type Credentials, House } from '../setup/house.ts';
import { until } from '../setup/until.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const APPLY = '/ui/management/appliance-apply';
/** Bytes of script that a first load may cost, compressed. */
const BUDGET = 40_000;

// A browser beside another one on two cores: what is tested is that it happens, not how fast.
jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let browser: Browser;
let context: BrowserContext;
let faults: string[] = [];

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin', undefined, 'alice');
  browser = await startBrowser();
  context = await newContext();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await house?.close();
});
afterEach(() => {
  expect(faults).toEqual([]);
  faults = [];
});

async function newContext(): Promise<BrowserContext> {
  const made = await browser.newContext();
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

const zone = (name: string) =>
  house.send('POST', '/api/v1/dns/zones', { token: admin.token, body: { name } }).then(({ status }) => {
    expect(status).toBe(201);
  });

async function review(): Promise<string> {
  const { headers } = await house.send('POST', APPLY, { session: admin, form: {} });
  return headers.location!;
}

async function applyAll(): Promise<string> {
  const page = await open(await review());
  await page.click('.rail button');
  await page.waitForFunction(() => /applied$/.test(document.querySelector('h1')?.textContent ?? ''));
  const path = new URL(page.url()).pathname;
  await page.close();
  return path;
}

/** Switches the name service on, so that records are part of what an apply changes. */
const listen = () =>
  house.send('PATCH', '/api/v1/dns-dhcp/settings', {
    token: admin.token,
    body: { enabled: true, listen_interfaces: ['ens192'] },
  });

test('the script of a first load is small', () => {
  const manifest = JSON.parse(readFileSync(join(ASSETS, 'manifest.json'), 'utf8')) as Record<string, string>;
  expect(readFileSync(join(ASSETS, `${manifest['app.js']}.br`)).length).toBeLessThan(BUDGET);
});

test('a running apply moves by itself, and ends with its result', async () => {
  await listen();
  let go: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  house.services.checkpoint = (step) => (step === 'network:activate' ? gone : undefined);
  const page = await open(await review());
  await page.click('.rail button');
  await page.waitForSelector('#progress >> text=/Network, 0 of [0-9]+ units done/');
  const more = page.locator('summary', { hasText: 'Read the timeline as a list' });
  await more.click();
  delete house.services.checkpoint;
  go();
  await page.waitForSelector('h1 >> text=/^[0-9]+ units applied$/');
  expect(await page.title()).toMatch(/^[0-9]+ units applied · Groundcrew$/);
  expect(await page.locator('.more[open]').count()).toBe(1);
  await page.waitForSelector('.strip', { state: 'detached' });
  await page.close();
});

test('what ended before the page had its event stream is not missed', async () => {
  await zone('late.example');
  const path = await review();
  const page = await open(path);
  // It is not over before the page is there, and is over before its event stream is.
  const loaded = Promise.withResolvers<void>();
  house.services.checkpoint = (step) => (step === 'dns-dhcp:activate' ? loaded.promise : undefined);
  const applied = async () => {
    const { body } = await house.send('GET', `/api/v1/apply/plans/${path.split('/').at(-1)}`, { token: admin.token });
    return body.state === 'applied';
  };
  await page.route('**/ui/management/events', async (route) => {
    loaded.resolve();
    await until(applied);
    await route.continue();
  });
  try {
    await page.click('.rail button');
    await page.waitForSelector('h1 >> text=/applied$/');
  } finally {
    delete house.services.checkpoint;
    loaded.resolve();
  }
  await page.close();
});

test('what somebody else saves shows on an open page, and nothing typed is lost', async () => {
  await zone('one.example');
  const page = await open(await review());
  await page.fill('#note', 'Typed meanwhile');
  await zone('two.example');
  await page.waitForSelector(':is(h2, h3) >> text=DNS and DHCP changed after this plan was made');
  expect(await page.inputValue('#note')).toBe('Typed meanwhile');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('note');
  await page.close();
});

test('without the event stream the page asks by itself', async () => {
  await context.route('**/ui/management/events', (route) => route.abort());
  const page = await open(await review());
  await zone('three.example');
  await page.waitForSelector(':is(h2, h3) >> text=changed after this plan was made');
  await page.close();
  await context.unroute('**/ui/management/events');
});

test('what could not be read when the event stream told of it is read again', async () => {
  const path = await review();
  const page = await context.newPage();
  const reads = { failing: false, done: 0, failed: 0 };
  await page.route(`**${path}`, async (route) => {
    if (reads.failing) await route.abort();
    else await route.continue();
    reads[reads.failing ? 'failed' : 'done'] += 1;
  });
  await page.goto(house.origin + path);
  // The page itself, and what it reads as soon as its stream is open.
  await until(() => reads.done === 2);
  reads.failing = true;
  await zone('missed.example');
  await until(() => reads.failed === 1);
  reads.failing = false;
  await page.waitForSelector(':is(h2, h3) >> text=changed after this plan was made');
  await page.close();
});

test('a refused form has the focus on its refusal, and goes on following the page', async () => {
  await zone('four.example');
  const path = await review();
  const page = await open(path);
  await house.send('POST', APPLY, { session: admin, form: {} });
  await leads(page, () => page.evaluate(() => document.querySelector<HTMLFormElement>('.rail form')?.submit()));
  await page.waitForSelector('.refusal');
  expect(new URL(page.url()).pathname).toBe(`${path}/submit`);
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('refusal');
  await applyAll();
  await page.waitForSelector('.strip', { state: 'detached' });
  expect(await page.locator('.refusal').count()).toBe(1);
  await page.close();
});

test('Ctrl-K finds a record by keyboard alone', async () => {
  const record = { fqdn: 'vc01.one.example', type: 'A', value: '10.10.0.10' };
  await house.send('POST', '/api/v1/dns/records', { token: admin.token, body: record });
  const own = await newContext();
  await stopClock(own);
  const page = await open(APPLY, own);
  const ask = async (words: string) => {
    await page.keyboard.type(words);
    await page.clock.runFor(1000);
  };
  await page.keyboard.press('Control+k');
  // What half of it finds comes no more once somebody types on: it would take the place of what he chooses from.
  await page.route(/search\?q=vc$/, () => undefined);
  const dropped = page.waitForEvent('requestfailed');
  await ask('vc');
  await page.keyboard.type('0');
  await dropped;
  await ask('1');
  await page.waitForSelector('.palette [role=option]');
  const field = page.locator('.palette input');
  expect(await field.getAttribute('aria-expanded')).toBe('true');
  expect(await field.getAttribute('aria-activedescendant')).toBe('palette-0');
  expect(await page.locator('.palette [aria-selected=true]').getAttribute('id')).toBe('palette-0');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.palette', { state: 'hidden' });
  await page.keyboard.press('Control+k');
  await ask('vc01');
  await page.waitForSelector('.palette [role=option]');
  await page.keyboard.press('ArrowDown');
  await Promise.all([page.waitForURL(/\/dns\/records\/rec_/), page.keyboard.press('Enter')]);
  await own.close();
});

test('Ctrl-K and Enter without a choice open the search page', async () => {
  const page = await open(APPLY);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing-has-this');
  await Promise.all([page.waitForURL(/\/search\?q=nothing-has-this/), page.keyboard.press('Enter')]);
  await page.close();
});

test('single keys go through a list and to its filter, say what they do, and can be switched off', async () => {
  for (const name of ['keys-one.example', 'keys-two.example']) await zone(name);
  const own = await newContext();
  const page = await open('/ui/management/audit-log', own);
  const rows = page.locator('main .scroll tbody tr');
  const focused = (row: number) => rows.nth(row).evaluate((each) => each === document.activeElement);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused(1)).toBe(true);
  await page.keyboard.press('k');
  expect(await focused(0)).toBe(true);
  await page.keyboard.press('/');
  const field = page.locator('#filter-actor');
  expect(await field.evaluate((each) => each === document.activeElement)).toBe(true);
  await page.keyboard.type('jk?');
  expect(await field.inputValue()).toBe('jk?');
  await field.blur();
  await page.keyboard.press('?');
  expect(await page.locator('dialog.keys').innerText()).toContain('Next row');
  await page.getByLabel('Use these keys in this browser').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('j');
  expect(await rows.evaluateAll((all) => all.includes(document.activeElement as HTMLTableRowElement))).toBe(false);
  await own.close();
});

test('relative times grow by the appliance’s clock, whatever the browser’s says', async () => {
  const own = await newContext();
  await stopClock(own);
  const page = await open(APPLY, own);
  const time = page.locator('time[data-relative]').first();
  const minutes = async () => {
    const [, many, unit] = /^(?:just now|(\d+) (s|min) ago)$/.exec((await time.textContent()) ?? '') ?? [];
    return unit === 'min' ? Number(many) : 0;
  };
  const before = await minutes();
  await page.clock.runFor(10 * 60_000);
  expect(await minutes()).toBe(before + 10);
  await own.close();
});

test('an interface form shows by itself what saving would move, and nothing when it is as it was', async () => {
  await house.send('PATCH', '/api/v1/interfaces/physical/ens224', {
    token: admin.token,
    body: { role: 'access', ipv4_cidr: '192.168.10.2/24' },
  });
  await house.send('PATCH', '/api/v1/ntp/settings', {
    token: admin.token,
    body: { enabled: true, listen_interfaces: ['ens224'] },
  });
  // How fast somebody types is not the machine's business.
  const own = await newContext();
  await stopClock(own);
  const page = await open('/ui/management/interfaces/ens224', own);
  const asked: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && asked.push(request.postData() ?? '')));
  // On the page, not in the window: who types may scroll.
  const placed = () =>
    page.locator('.form').evaluate((form) => {
      const { x, y, width } = form.getBoundingClientRect();
      return { x: x + window.scrollX, y: y + window.scrollY, width };
    });
  const form = await placed();
  await page.locator('#ipv4_cidr').fill('192.168.20.2/2');
  await page.locator('#ipv4_cidr').pressSequentially('4');
  await page.clock.runFor(1000);
  await page.waitForSelector('#preview h2 >> text=Saving this moves 1 value in 1 unit');
  expect(asked.length).toBe(1);
  expect(asked[0]).toContain('dry_run=true');
  expect(await page.locator('#preview-said').textContent()).toContain('Saving this moves 1 value in 1 unit');
  expect(await page.locator('#preview td code').allTextContents()).toContain('192.168.20.2');
  expect(await placed()).toEqual(form);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('ipv4_cidr');
  // Half an address is not asked for; what is shown is marked as out of date meanwhile.
  await page.fill('#ipv4_cidr', '192.168.20');
  await page.waitForSelector('#preview[aria-busy=true]');
  await page.clock.runFor(1000);
  await page.fill('#ipv4_cidr', '192.168.10.2/24');
  await page.clock.runFor(1000);
  expect(await page.locator('#preview').textContent()).toBe('');
  expect(asked.length).toBe(1);
  await page.uncheck('#enabled');
  await page.clock.runFor(1000);
  await page.waitForSelector('#preview h2 >> text=Saving this would be refused: 1 thing in the way');
  const { body } = await house.send('GET', '/api/v1/interfaces/physical/ens224', { token: admin.token });
  expect(body.enabled).toBe(true);
  await own.close();
});
