// A cloud's names from end to end: an appliance and a client in network namespaces, a real browser, a real dnsmasq. The
// operator generates seventeen names, applies, and the client's resolver finds each forward and reverse; he deletes them,
// applies, and they are gone, while the record that somebody made by hand is still there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { vcf91 } from '../../shared/ground/catalogs/vcf-9.1.ts';
import { leads, startBrowser } from '../setup/browser.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'a cloud begins with its names';
const ORIGIN = 'http://10.77.0.1:8080';
const HELPER = `${ORIGIN}/ui/management/vcf-helper`;
const SERVER = '10.88.0.1';
/** Of the same shape as the generated ones, and nobody's business but its maker's. */
const BY_HAND = 'm02-vc01.lab.example';

const names = vcf91.components.map(({ host }, at) => ({
  fqdn: `m01-${host}.lab.example`,
  a: `10.88.0.${20 + at}`,
  aaaa: `fd00:88::${(0x20 + at).toString(16)}`,
}));

let lab: Lab;
let data: string;
let service: ChildProcess;
let browser: Browser;
let page: Page;
let log = '';
let token = '';

beforeAll(async () => {
  lab = makeLab('names');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-names-'));
  service = spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, 'dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GROUNDCREW_DATA: data,
      GROUNDCREW_LISTEN: '10.77.0.1:8080',
      GROUNDCREW_HOST: `namespace:${lab.appliance}`,
      GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
    },
  });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', async () => log.includes('"started"'));
  token = makeToken();
  browser = await startBrowser(lab.client);
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${ORIGIN}/ui/management/sign-in`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${ORIGIN}/ui/management`);
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

/** One request from the client's namespace with a token of the appliance's command line. */
function api(method: string, path: string, body: unknown): void {
  const script = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(r.status, await r.text()))`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const options = JSON.stringify({ method, headers, body: JSON.stringify(body) });
  expect(lab.inClient(process.execPath, '-e', script, ORIGIN + path, options)).toMatch(/^20[01] /);
}

function makeToken(): string {
  const scopes = ['write:interfaces', 'write:dns'].flatMap((scope) => ['--scope', scope]);
  const args = ['dist/groundcrew.js', 'token', 'create', '--name', 'names', ...scopes, '--lifetime', '1h'];
  const env = { ...process.env, GROUNDCREW_DATA: data };
  return execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** From the review of what is pending to the end of its apply. */
async function applyReviewed(): Promise<void> {
  await page.waitForURL(/appliance-apply\/plan_/);
  const review = await page.getByRole('main').textContent();
  await leads(page, () => page.getByRole('button', { name: /^Apply \d unit/ }).click());
  if (review?.includes('Has to be confirmed')) await page.getByRole('button', { name: 'Confirm' }).click();
  await until('the plan is applied', async () => {
    const heading = await page
      .locator('h1')
      .textContent({ timeout: 1_000 })
      .catch(() => '');
    return /applied$/i.test(heading ?? '');
  });
}

/** Answers of the client's resolver, in the order of the questions. */
function dig(...questions: string[][]): string[] {
  const options = ['+short', '+time=2', '+tries=3', `@${SERVER}`];
  return questions.map((question) =>
    lab
      .inClient('dig', ...options, ...question)
      .split('\n')
      .filter((line) => !line.startsWith(';;'))
      .join(' '),
  );
}

const reverse = (fqdn: string) => `${fqdn}.`;

test('1. the appliance serves names in the lab, one of them made by hand', async () => {
  const lab0 = { role: 'access', ipv4_cidr: '10.88.0.1/24', ipv6_cidr: 'fd00:88::1/64', enabled: true };
  api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
  api('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['lab0'] });
  api('POST', '/api/v1/dns/zones', { name: 'lab.example' });
  api('POST', '/api/v1/dns/records', { fqdn: BY_HAND, type: 'A', value: '10.88.0.9', description: 'vCenter' });
  await page.goto(HELPER);
  await page.getByRole('button', { name: 'Review changes' }).click();
  await applyReviewed();
  expect(dig([BY_HAND, 'A'])).toEqual(['10.88.0.9']);
}, 300_000);

test('2. before anything is created, the check finds the machine that has one of the planned addresses', async () => {
  await page.goto(`${HELPER}?tool=generated-fqdns`);
  await page.fill('#prefix', 'm01-');
  await page.fill('#start_ipv4_cidr', '10.88.0.2/24');
  await page.waitForSelector('footer >> text=Create 17 records');
  await page.getByRole('link', { name: 'Check on the network' }).click();
  await page.waitForSelector('.note >> text=/10\\.88\\.0\\.2.*answers there/');
  expect(await page.locator('.note', { hasText: 'answers there' }).count()).toBe(1);
  expect(await page.locator('dialog').textContent()).toContain('17 names have no saved address');
}, 120_000);

test('3. seventeen names of both families are created in one confirmed step, and reviewed from the dialog', async () => {
  await page.fill('#start_ipv4_cidr', '10.88.0.20/24');
  await page.fill('#start_ipv6_cidr', 'fd00:88::20/64');
  await page.waitForSelector('.names tbody tr >> text=fd00:88::30');
  expect(await page.locator('.names tbody tr').first().textContent()).toContain('10.88.0.20');
  await page.check('#confirm');
  await page.getByRole('button', { name: 'Create 34 records' }).click();
  await page.waitForSelector('header >> text=34 records created.');
  // Saved is not applied.
  expect(dig([names[0]!.fqdn, 'A'])).toEqual(['']);
  await page.getByRole('button', { name: 'Review DNS and DHCP' }).click();
  await page.waitForURL(/appliance-apply\/plan_/);
  expect(await page.getByRole('main').textContent()).toContain('m01-auto-platform.lab.example');
  await applyReviewed();
}, 300_000);

test('4. the client finds all seventeen forward and reverse, in lower case, once each', () => {
  expect(names).toHaveLength(17);
  expect(dig(...names.map(({ fqdn }) => [fqdn, 'A']))).toEqual(names.map(({ a }) => a));
  expect(dig(...names.map(({ fqdn }) => [fqdn, 'AAAA']))).toEqual(names.map(({ aaaa }) => aaaa));
  expect(dig(...names.map(({ a }) => ['-x', a]))).toEqual(names.map(({ fqdn }) => reverse(fqdn)));
  expect(dig(...names.map(({ aaaa }) => ['-x', aaaa]))).toEqual(names.map(({ fqdn }) => reverse(fqdn)));
}, 300_000);

test('5. the check of the dialog sees what an installer would see', async () => {
  await page.goto(`${HELPER}?tool=generated-fqdns&prefix=m01-&domain=lab.example`);
  expect(await page.locator('footer').textContent()).toContain('Every name has an address.');
  await page.getByRole('link', { name: 'Check on the network' }).click();
  await page.waitForSelector(`text=An installer finds all 34 addresses, forward and reverse (asked at ${SERVER})`);
  expect(await page.locator('dialog .st', { hasText: 'found' }).count()).toBe(34);
}, 120_000);

test('6. deleted and applied, all of them are gone, and the record made by hand is still there', async () => {
  await page.goto(`${HELPER}?tool=generated-fqdns&prefix=m01-&domain=lab.example`);
  await page.getByRole('link', { name: 'Delete generated…' }).click();
  await page.getByRole('button', { name: 'Delete 34 records' }).click();
  await page.waitForSelector('header >> text=34 records deleted.');
  await page.getByRole('button', { name: 'Review DNS and DHCP' }).click();
  await applyReviewed();
  expect(dig(...names.map(({ fqdn }) => [fqdn, 'A'])).join('')).toBe('');
  expect(dig(...names.map(({ a }) => ['-x', a])).join('')).toBe('');
  expect(dig([BY_HAND, 'A'], ['-x', '10.88.0.9'])).toEqual(['10.88.0.9', reverse(BY_HAND)]);
}, 300_000);
