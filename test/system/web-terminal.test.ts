// The web terminal through a reviewed apply of a real service in a network namespace: another machine signs in over TLS with the
// operating system's own password, and gets the shell of that account from a real sshd. Off again, the shell is gone.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';
import { ACCOUNT, OS_PASSWORD, withAccount } from '../setup/os-account.ts';
import { selfSigned } from '../setup/self-signed.ts';
import { startWalk } from '../setup/walking.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MANAGEMENT = 'https://10.77.0.1:8443';
const PASSWORD = 'ready the ground first';
const SLOW = 300_000;

let lab: Lab;
let data: string;
let service: ChildProcess;
let token = '';
let log = '';
const walks: ChildProcess[] = [];

const environment = () => ({
  ...process.env,
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: '0.0.0.0:8443',
  GROUNDCREW_TLS_CERT: join(data, '../cert.pem'),
  GROUNDCREW_TLS_KEY: join(data, '../key.pem'),
  GROUNDCREW_HOST: `namespace:${lab.appliance}`,
  GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
});
const inside = (...args: string[]) => ['netns', 'exec', lab.appliance, process.execPath, ...args];

beforeAll(async () => {
  lab = makeLab('wt');
  const folder = mkdtempSync(join(tmpdir(), 'gc-wt-'));
  data = join(folder, 'd');
  const { certificate, private_key } = selfSigned('10.77.0.1');
  writeFileSync(join(folder, 'cert.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), private_key, { mode: 0o600 });
  const { program, args } = withAccount(join(folder, 'etc'));
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  service = spawn(program, [...args, 'ip', ...inside('dist/main.js')], { cwd: ROOT, stdio, env: environment() });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', () => log.includes('"started"'));
  const scopes = ['interfaces', 'firewall', 'apply', 'terminal'].flatMap((each) => ['--scope', `write:${each}`]);
  const reads = ['--scope', 'read:jobs', '--scope', 'read:audit'];
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d', ...scopes, ...reads];
  const made = execFileSync('ip', inside('dist/groundcrew.js', ...words), { cwd: ROOT, stdio, env: environment() });
  token = String(made).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
}, SLOW);

afterEach(() => {
  for (const walk of walks.splice(0)) walk.kill('SIGKILL');
});
afterAll(async () => {
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  rmSync(join(data, '..'), { recursive: true, force: true });
});

async function until(what: string, holds: () => boolean, limit = 60_000): Promise<void> {
  for (let waited = 0; waited < limit; waited += 50) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what}: not within ${limit} ms\n${log.slice(-3_000)}`);
}

const FETCH = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

function api(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const said = lab.inClient(process.execPath, '-e', FETCH, MANAGEMENT + path, options);
  if (said === '') throw new Error(`${method} ${path}: no answer\n${log.slice(-3_000)}`);
  const { status, text } = JSON.parse(said);
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

/** From the other machine; each line that it prints, as it comes. */
function walk(change: Record<string, string> = {}) {
  const asked = { origin: MANAGEMENT, user: 'admin', password: PASSWORD, account: ACCOUNT, os_password: OS_PASSWORD };
  const { child, seen, type } = startWalk(lab.client, { ...asked, ...change }, (text) => (log += text));
  walks.push(child);
  return {
    seen,
    type,
    sees: (what: string, test: (line: Record<string, unknown>) => boolean) =>
      until(`${what}, of ${JSON.stringify(seen)}`, () => seen.some(test)),
  };
}

test(
  'without an apply there is none; applied, another machine gets the shell of an account for its own password',
  async () => {
    const before = walk();
    await before.sees('it is refused', ({ status }) => status === 409);
    api('PATCH', '/api/v1/web-terminal/settings', { enabled: true, listen_interfaces: ['mgmt0'] });
    const plan = await apply();
    const unit = plan.units.find(({ id }: { id: string }) => id === 'web-terminal');
    expect(unit).toMatchObject({ risk: 'medium' });
    const open = walk();
    await open.sees('a shell', ({ ready }) => ready === true);
    expect(open.seen[0]).toEqual({ prompts: [{ prompt: 'Password: ', echo: false }] });
    open.type('stty size; id -un; grep CapEff /proc/self/status; tty');
    await open.sees('its size and its user', ({ text }) =>
      /30 99\r\ngcoperator\r\nCapEff:\s0{16}\r\n\/dev\/pts/.test(String(text)),
    );
    api('PATCH', '/api/v1/web-terminal/settings', { enabled: false });
    await apply();
    // Whichever is seen first: its shell ends, or the terminal is not in force any more.
    await open.sees('it is closed', ({ closed }) => closed === 4401 || closed === 1000);
    await until('no sshd is left', () => pidsOf(lab.appliance, 'sshd').length === 0);
    expect(pidsOf(lab.appliance, 'terminal-accept')).toEqual([]);
  },
  SLOW,
);

test(
  'a wrong password, an account outside of the group and one that does not exist open nothing, and all is written without content',
  async () => {
    api('PATCH', '/api/v1/web-terminal/settings', { enabled: true, listen_interfaces: ['mgmt0'] });
    await apply();
    for (const change of [{ os_password: 'canary wrong' }, { account: 'gcoutsider' }, { account: 'gcnobody' }]) {
      const refused = walk(change);
      await refused.sees('it is refused', ({ closed }) => closed === 4403);
      expect(refused.seen.some(({ ready }) => ready === true)).toBe(false);
    }
    const rows = JSON.stringify(api('GET', '/api/v1/audit?limit=50'));
    for (const action of ['terminal.ticket', 'terminal.open', 'terminal.close', 'terminal.refuse'])
      expect(rows).toContain(action);
    expect(rows + log).not.toContain('canary');
  },
  SLOW,
);
