// Key management through a reviewed apply of a real service in a network namespace: the listener comes with the manifest, the
// probe asks it as a client, drift is found, and switching it off with keys is said to be dangerous.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CREATE, read, request } from '../setup/kmip-messages.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { selfSigned } from '../setup/self-signed.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MANAGEMENT = 'http://10.77.0.1:8080';
const SLOW = 300_000;

let lab: Lab;
let data: string;
let service: ChildProcess;
let token = '';
let log = '';

const environment = () => ({
  ...process.env,
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: '0.0.0.0:8080',
  GROUNDCREW_PUBLIC_LISTEN: '10.77.0.1:8081',
  GROUNDCREW_HOST: `namespace:${lab.appliance}`,
  GROUNDCREW_ADMIN_PASSWORD: 'ready the ground first',
});
const inside = (...args: string[]) => ['netns', 'exec', lab.appliance, process.execPath, ...args];

beforeAll(async () => {
  lab = makeLab('kms');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-kms-unit-'));
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  service = spawn('ip', inside('dist/main.js'), { cwd: ROOT, stdio, env: environment() });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', () => log.includes('"started"'));
  const scopes = ['interfaces', 'firewall', 'apply', 'ca', 'kms'].flatMap((each) => ['--scope', `write:${each}`]);
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d', ...scopes, '--scope', 'read:jobs'];
  const made = execFileSync('ip', inside('dist/groundcrew.js', ...words), { cwd: ROOT, stdio, env: environment() });
  token = String(made).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
  const lab0 = { role: 'access', ipv4_cidr: '10.88.0.1/24', ipv6_enabled: false, enabled: true };
  api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
  api('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  api('POST', '/api/v1/certificate-authority/root');
}, SLOW);

afterAll(async () => {
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

async function until(what: string, holds: () => boolean, limit = 60_000): Promise<void> {
  for (let waited = 0; waited < limit; waited += 100) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${what}: not within ${limit} ms\n${log.slice(-2_000)}`);
}

const FETCH = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

function api(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { status, text } = JSON.parse(lab.inClient(process.execPath, '-e', FETCH, MANAGEMENT + path, options));
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : text;
}

async function apply() {
  const plan = api('POST', '/api/v1/apply/plans', {});
  const path = `/api/v1/apply/plans/${plan.id}`;
  const { job_id, confirm } = api('POST', `${path}/submit`, { digest: plan.digest });
  if (confirm) {
    await until('the plan is in force', () => api('GET', path).state === 'confirming');
    api('POST', `${path}/confirm`, { nonce: confirm.nonce });
  }
  await until('the apply ends', () => ['succeeded', 'failed'].includes(api('GET', `/api/v1/jobs/${job_id}`).state));
  const job = api('GET', `/api/v1/jobs/${job_id}`);
  if (job.state !== 'succeeded') throw new Error(JSON.stringify(job));
  return api('GET', path);
}

/** One request over TLS from the other machine; what came back, in hex. */
const ASK = `const s = require('node:tls').connect({ ...JSON.parse(process.argv[1]), rejectUnauthorized: false }, () => s.write(Buffer.from(process.argv[2], 'hex')));
let read = Buffer.alloc(0); const end = () => { console.log(read.toString('hex')); process.exit(0); };
s.on('data', (b) => { read = Buffer.concat([read, b]); if (read.length >= 8 + read.readUInt32BE(4)) end(); }).on('error', end).on('close', end);`;

function ask(pair: { certificate: string; private_key: string }, message: Buffer): Buffer {
  const options = { host: '10.88.0.1', port: 5696, cert: pair.certificate, key: pair.private_key };
  return Buffer.from(
    lab.inClient(process.execPath, '-e', ASK, JSON.stringify(options), message.toString('hex')).trim(),
    'hex',
  );
}

const PAIR = selfSigned('vc01.lab.example');

test(
  'an apply puts it in force, its probe asks it, and a client whose certificate is trusted gets a key',
  async () => {
    api('PATCH', '/api/v1/kms/settings', { enabled: true, listen_interfaces: ['lab0'], hostname: 'kms.lab.example' });
    const plan = await apply();
    expect(plan.units.map(({ id }: { id: string }) => id)).toContain('kms');
    expect(JSON.stringify(api('GET', `/api/v1/apply/plans/${plan.id}`))).not.toContain('PRIVATE KEY');
    expect(log).toContain('kms listener');
    const create = request([{ operation: 'Create', payload: CREATE }]);
    expect(ask(PAIR, create)).toHaveLength(0);
    const { id: provider_id } = api('POST', '/api/v1/kms/providers', { name: 'management-domain' });
    api('POST', '/api/v1/kms/clients', {
      provider_id,
      name: 'vc01',
      certificate: PAIR.certificate,
      own_password: 'ready the ground first',
    });
    expect(read(ask(PAIR, create)).items[0]!.status).toBe(0);
  },
  SLOW,
);

test(
  'with keys it is dangerous to switch it off, and the review names them',
  async () => {
    const [key] = api('GET', '/api/v1/kms/keys').items;
    api('PATCH', '/api/v1/kms/settings', { enabled: false });
    const plan = await apply();
    const unit = plan.units.find(({ id }: { id: string }) => id === 'kms');
    expect(unit.risk).toBe('high');
    expect(JSON.stringify(unit)).toContain(key.id);
    // The listener follows what is applied within a second.
    const discover = request([{ operation: 'DiscoverVersions' }]);
    await until('nothing answers', () => ask(PAIR, discover).length === 0);
    // Nothing of an apply touches a key.
    expect(api('GET', '/api/v1/kms/keys').items).toEqual([key]);
  },
  SLOW,
);
