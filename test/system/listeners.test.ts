// The management listeners of a real service, on the real addresses of a network namespace, as a client in another one
// finds them: they follow what was applied, and nothing that is only saved.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../setup/browser.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'ready the ground first';
const PORT = 8080;

let lab: Lab;
let data: string;
let service: ChildProcess;
let browser: Browser;
let token = '';
let log = '';

const environment = () => ({
  ...process.env,
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: `0.0.0.0:${PORT}`,
  GROUNDCREW_PUBLIC_LISTEN: '0.0.0.0:8081',
  GROUNDCREW_HOST: `namespace:${lab.appliance}`,
  GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
});

beforeAll(async () => {
  lab = makeLab('listen');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-listen-'));
  await startService();
  browser = await startBrowser(lab.client);
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d'];
  const scopes = ['write:interfaces', 'write:firewall', 'write:apply', 'read:jobs'].flatMap((scope) => [
    '--scope',
    scope,
  ]);
  token = inAppliance(process.execPath, 'dist/groundcrew.js', ...words, ...scopes).trim();
  // What closes a port here is that nobody listens there, not the packet filter.
  await saved('PATCH', '/api/v1/firewall/settings', { enabled: false });
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await stopService();
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

function inAppliance(...command: string[]): string {
  return execFileSync('ip', ['netns', 'exec', lab.appliance, ...command], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
  });
}

async function startService(): Promise<void> {
  log = '';
  service = spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, 'dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
  });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', () => log.includes('"started"'));
}

async function stopService(): Promise<void> {
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
}

async function until(what: string, holds: () => boolean | Promise<boolean>, limit = 60_000): Promise<void> {
  for (let waited = 0; waited < limit; waited += 50) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what}: not within ${limit} ms\n${log.slice(-2_000)}`);
}

/** Over loopback, as somebody on the console would: a plan that is submitted there needs no confirmation. */
const FETCH = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

async function saved(method: string, path: string, body?: unknown, from?: { client: string }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const run = from ? lab.inClient : inAppliance;
  const url = `http://${from?.client ?? '127.0.0.1'}:${PORT}${path}`;
  const { status, text } = JSON.parse(run(process.execPath, '-e', FETCH, url, options));
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

const patch = (name: string, body: object) => saved('PATCH', `/api/v1/interfaces/physical/${name}`, body);

async function apply(): Promise<void> {
  const plan = await saved('POST', '/api/v1/apply/plans', {});
  const { job_id } = await saved('POST', `/api/v1/apply/plans/${plan.id}/submit`, { digest: plan.digest });
  await until('the plan is applied', async () => {
    // This may be asked at a socket that closes; a busy machine may not come to it before its grace is over.
    const job = await saved('GET', `/api/v1/jobs/${job_id}`).catch((error) => {
      if (!/ECONNRESET/.test(error.message)) throw error;
      return {};
    });
    if (job.state === 'failed') throw new Error(JSON.stringify(job.error));
    return job.state === 'succeeded';
  });
}

/** Addresses of the management port's sockets, as the kernel has them. */
function sockets(): string[] {
  const lines = inAppliance('ss', '-Hltn', `sport = :${PORT}`).trim().split('\n');
  return lines.map((line) => line.split(/\s+/)[3]!.replace(/:\d+$/, '')).sort();
}

const listening = (...addresses: string[]) =>
  until(`${addresses} and no other address`, () => sockets().join() === [...addresses].sort().join());

/** `200`, or why there is no answer. */
function knock(address: string, port = PORT, path = '/ui/management/sign-in'): string {
  const script = `require('node:http').get({ host: process.argv[1], port: ${port}, path: '${path}', timeout: 60_000 },
    (r) => { console.log(r.statusCode); process.exit(); }).on('error', (e) => console.log(e.code)).on('timeout', () => { console.log('timeout'); process.exit(); })`;
  return lab.inClient(process.execPath, '-e', script, address);
}

/** Connects every 5 ms from the client until it is stopped; answers what came of it, and how often. */
function knockOn(address: string): () => Promise<Record<string, number>> {
  const script = `const got = {}; const count = (what) => { got[what] = (got[what] ?? 0) + 1; };
    const timer = setInterval(() => require('node:http').get({ host: process.argv[1], port: ${PORT}, path: '/ui/management/sign-in', agent: false, timeout: 60_000 },
      (r) => { r.resume(); r.on('end', () => count(r.statusCode)); r.on('error', (e) => count(e.code)); })
      .on('error', (e) => count(e.code)).on('timeout', () => count('timeout')), 5);
    process.stdin.on('end', () => { clearInterval(timer); setTimeout(() => { console.log(JSON.stringify(got)); process.exit(); }, 500); }).resume();`;
  const child = spawn('ip', ['netns', 'exec', lab.client, process.execPath, '-e', script, address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = new Promise((done) => child.on('close', done));
  return async () => {
    child.stdin.end();
    await ended;
    return JSON.parse(text);
  };
}

/** A person signs in there, with a browser that knows nothing of other addresses. */
async function signIn(address: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const origin = `http://${address.includes(':') ? `[${address}]` : address}:${PORT}`;
  await page.goto(`${origin}/ui/management`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${origin}/ui/management`);
  await context.close();
}

const LOOPBACK = ['127.0.0.1', '[::1]'];

test('1. before the first apply a first operator gets in anywhere', async () => {
  await listening('0.0.0.0');
  await signIn('10.77.0.1');
});

test('2. the first apply leaves the management interface, and whoever is connecting there notices nothing', async () => {
  await patch('lab0', { role: 'access', ipv4_cidr: '10.88.0.1/24', enabled: true });
  const stop = knockOn('10.77.0.1');
  await apply();
  await listening('10.77.0.1', ...LOOPBACK);
  const got = await stop();
  expect(Object.keys(got)).toEqual(['200']);
  expect(got['200']).toBeGreaterThan(50);
  expect([knock('10.77.0.1'), knock('10.88.0.1')]).toEqual(['200', 'ECONNREFUSED']);
}, 300_000);

test('3. the switch of an access interface opens it once it is applied, not once it is saved', async () => {
  await patch('lab0', { access_management_ui_enabled: true });
  await new Promise((done) => setTimeout(done, 1_000));
  expect(sockets()).toEqual(['10.77.0.1', ...LOOPBACK].sort());
  expect(knock('10.88.0.1')).toBe('ECONNREFUSED');
  await apply();
  await listening('10.77.0.1', '10.88.0.1', ...LOOPBACK);
  await signIn('10.88.0.1');
}, 300_000);

test('4. an address that moves is followed, in both families, and its neighbour notices nothing', async () => {
  await patch('mgmt0', { ipv4_cidr: '10.77.0.9/24', ipv6_enabled: true, ipv6_cidr: 'fd77::9/64' });
  const stop = knockOn('10.88.0.1');
  await apply();
  // The kernel takes a second to find out that nobody else has an address of IPv6.
  await listening('10.77.0.9', '[fd77::9]', '10.88.0.1', ...LOOPBACK);
  expect(Object.keys(await stop())).toEqual(['200']);
  await signIn('10.77.0.9');
  execFileSync('ip', ['-n', lab.client, 'addr', 'add', 'fd77::2/64', 'dev', 'c0', 'nodad']);
  await signIn('fd77::9');
}, 300_000);

test('5. a restart listens at the same addresses at once', async () => {
  await stopService();
  await startService();
  expect(sockets()).toEqual(['10.77.0.9', '[fd77::9]', '10.88.0.1', ...LOOPBACK].sort());
}, 300_000);

test('6. the switch closes the interface again; the public pages stay', async () => {
  await patch('lab0', { access_management_ui_enabled: false });
  await apply();
  await listening('10.77.0.9', '[fd77::9]', ...LOOPBACK);
  expect(knock('10.88.0.1')).toBe('ECONNREFUSED');
  expect(knock('10.88.0.1', 8081, '/ui/public')).toBe('200');
  expect(log).not.toContain('all addresses are opened');
}, 300_000);

test('7. during a confirm window the new address answers, so that it can be confirmed over it', async () => {
  await patch('mgmt0', { ipv4_cidr: '10.77.0.1/24', ipv6_enabled: false });
  const plan = await saved('POST', '/api/v1/apply/plans', {});
  const path = `/api/v1/apply/plans/${plan.id}`;
  const { confirm } = await saved('POST', `${path}/submit`, { digest: plan.digest }, { client: '10.77.0.9' });
  expect(confirm.addresses).toContain('10.77.0.1');
  await until('the change is made', async () => (await saved('GET', path)).state === 'confirming');
  expect(sockets()).toEqual(expect.arrayContaining(['10.77.0.1', ...LOOPBACK]));
  await signIn('10.77.0.1');
  await saved('POST', `${path}/confirm`, { nonce: confirm.nonce }, { client: '10.77.0.1' });
  await until('the plan is applied', async () => (await saved('GET', path)).state === 'applied');
  await listening('10.77.0.1', ...LOOPBACK);
}, 300_000);
