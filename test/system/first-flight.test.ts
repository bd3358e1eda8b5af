// The first flight: one route through everything. A network namespace is the appliance, another is a client with a
// browser and a resolver. The operator signs in, makes a token, edits an interface over the API with it, creates a zone
// and a record in the browser, reviews, applies; and a real resolver on the client gets the name and the reverse name
// from a real dnsmasq.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { leads, startBrowser } from '../setup/browser.ts';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'ready the ground first';
const ORIGIN = 'http://10.77.0.1:8080';
const PUBLIC = 'http://10.77.0.1:8081';

let lab: Lab;
let data: string;
let service: ChildProcess;
let browser: Browser;
let page: Page;
let log = '';

beforeAll(async () => {
  lab = makeLab('flight');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-flight-'));
  service = spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, 'dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GROUNDCREW_DATA: data,
      GROUNDCREW_LISTEN: '10.77.0.1:8080',
      GROUNDCREW_PUBLIC_LISTEN: '10.77.0.1:8081',
      GROUNDCREW_HOST: `namespace:${lab.appliance}`,
      GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
      GROUNDCREW_LOG_LEVEL: 'debug',
    },
  });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', async () => log.includes('"started"'));
  browser = await startBrowser(lab.client);
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

async function until(what: string, holds: () => Promise<boolean>, limit = 60_000): Promise<void> {
  for (let waited = 0; waited < limit; waited += 50) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what}: not within ${limit} ms\n${log.slice(-2_000)}`);
}

/** One request from the client's namespace, by a program of its own. */
function fromClient(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: unknown,
): { status: number; text: string } {
  const script = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;
  const options = {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return JSON.parse(lab.inClient(process.execPath, '-e', script, url, JSON.stringify(options)));
}

const main = () => page.getByRole('main');
const path = () => new URL(page.url()).pathname;
/** Presses what leads to another page. */
const press = (what: Locator) => leads(page, () => what.first().click());
let token = '';

test('1. the operator signs in with the browser, on another host', async () => {
  await page.goto(`${ORIGIN}/ui/management`);
  expect(path()).toBe('/ui/management/sign-in');
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill('not this one');
  await press(page.getByRole('button', { name: 'Sign in' }));
  await expect(main().textContent()).resolves.toMatch(/wrong/);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${ORIGIN}/ui/management`);
  expect(await page.getByText(`Namespace ${lab.appliance}`).count()).toBeGreaterThan(0);
}, 120_000);

test('2. makes an API token and sees its secret once', async () => {
  await page.goto(`${ORIGIN}/ui/management/api-tokens`);
  await page.getByLabel(/purpose/i).fill('first flight');
  await page.locator('input[name="scopes"][value="write:interfaces"]').check();
  await page.getByLabel('Your password').fill(PASSWORD);
  await press(main().getByRole('button', { name: /create/i }));
  token = /gcr_tok_\w{16}_[\w-]{49}/.exec(await page.content())![0];
  await page.goto(`${ORIGIN}/ui/management/api-tokens`);
  expect(await page.content()).not.toContain(token);
}, 120_000);

test('3. edits an interface over the REST API with it', () => {
  const url = `${ORIGIN}/api/v1/interfaces/physical/lab0`;
  const authorization = `Bearer ${token}`;
  const edited = fromClient(
    'PATCH',
    url,
    { authorization },
    { role: 'access', ipv4_cidr: '10.88.0.1/24', enabled: true },
  );
  expect({ status: edited.status, ...JSON.parse(edited.text) }).toMatchObject({
    status: 200,
    role: 'access',
    ipv4_cidr: '10.88.0.1/24',
  });
  expect(fromClient('GET', `${ORIGIN}/api/v1/dns/zones`, { authorization }).status).toBe(403);
  // Saved is not applied: the host has no such address yet.
  expect(lab.inClient('ping', '-c1', '-W1', '10.88.0.1')).not.toMatch(/1 received/);
});

test('4. lets DNS listen there, creates a zone and a record in the browser', async () => {
  await page.goto(`${ORIGIN}/ui/management/dns/settings`);
  await page.locator('input[name="enabled"]').check();
  await page.locator('input[name="listen_interfaces"][value="lab0"]').check();
  await press(main().getByRole('button', { name: /save/i }));
  await page.goto(`${ORIGIN}/ui/management/dns/zones/new`);
  await page.locator('input[name="name"]').fill('lab.example');
  await press(main().getByRole('button', { name: /create|add/i }));
  await page.goto(`${ORIGIN}/ui/management/dns`);
  await press(main().getByRole('link', { name: 'lab.example' }));
  await press(main().getByRole('link', { name: /add record/i }));
  await page.locator('input[name="name"], input[name="fqdn"]').first().fill('vc01');
  await page.locator('input[name="value"], textarea[name="value"]').first().fill('10.88.0.10');
  await press(main().getByRole('button', { name: /create|add|save/i }));
  expect(path()).toMatch(/^\/ui\/management\/dns\/zones\//);
  expect(await main().textContent()).toContain('vc01.lab.example');
}, 300_000);

test('5. reviews the pending change and applies it', async () => {
  await press(page.getByRole('button', { name: 'Review changes' }));
  expect(path()).toMatch(/appliance-apply\/plan_/);
  const text = await main().textContent();
  for (const said of ['Network', 'DNS and DHCP', '10.88.0.1/24', 'vc01.lab.example']) expect(text).toContain(said);
  await page.getByLabel(/note/i).fill('The first flight');
  expect(text).toContain('Has to be confirmed, or goes back');
  await press(page.getByRole('button', { name: /^Apply \d unit/ }));
  // The page follows the job by itself; no reload.
  await page.getByRole('button', { name: 'Confirm' }).click();
  await until('the plan is applied', async () => {
    return /applied$/i.test(
      (await page
        .locator('h1')
        .textContent({ timeout: 1_000 })
        .catch(() => '')) ?? '',
    );
  });
  expect(await main().textContent()).toContain('The first flight');
}, 300_000);

test('6. a resolver on the client gets the name and the reverse name', async () => {
  // The kernel drops what is sent in the second after a link came up; a resolver asks again, and so does this one.
  const dig = (...args: string[]) =>
    lab
      .inClient('dig', '+short', '+time=2', '+tries=3', '@10.88.0.1', ...args)
      .split('\n')
      .filter((line) => !line.startsWith(';;'))
      .join('\n');
  expect(dig('vc01.lab.example', 'A')).toBe('10.88.0.10');
  expect(dig('-x', '10.88.0.10')).toBe('vc01.lab.example.');
  expect(lab.inClient('dig', '+time=2', '+tries=3', '@10.88.0.1', 'nothing.lab.example')).toContain('NXDOMAIN');
});

test('7. a changed address reaches the resolver without a restart of dnsmasq', async () => {
  const before = pidsOf(lab.appliance, 'dnsmasq');
  expect(before).toHaveLength(1);
  await page.goto(`${ORIGIN}/ui/management/dns`);
  await press(main().getByRole('link', { name: 'lab.example' }));
  await press(main().getByRole('link', { name: /vc01/ }));
  await page.locator('input[name="value"], textarea[name="value"]').first().fill('10.88.0.11');
  await press(main().getByRole('button', { name: /save/i }));
  await press(page.getByRole('button', { name: 'Review changes' }));
  expect(path()).toMatch(/appliance-apply\/plan_/);
  await press(page.getByRole('button', { name: /^Apply \d unit/ }));
  await until(
    'the name has its new address',
    async () => lab.inClient('dig', '+short', '+time=1', '+tries=1', '@10.88.0.1', 'vc01.lab.example') === '10.88.0.11',
  );
  expect(pidsOf(lab.appliance, 'dnsmasq')).toEqual(before);
}, 300_000);

test('8. the public listener has its home and no management route', () => {
  expect(fromClient('GET', `${PUBLIC}/ui/public`).status).toBe(200);
  for (const route of [
    '/ui/management',
    '/ui/management/sign-in',
    '/api/v1/interfaces/physical',
    '/openapi.json',
    '/api/docs',
    '/ui/management/events',
  ]) {
    expect({ route, status: fromClient('GET', `${PUBLIC}${route}`).status }).toEqual({ route, status: 404 });
  }
});

test('9. neither the password nor the token is in the log', () => {
  expect(log).not.toContain(PASSWORD);
  expect(log).not.toContain(token);
  expect(log).toContain('"operation":"updatePhysicalInterface"');
});
