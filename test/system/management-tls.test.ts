// The certificate of the management UI of a real service, as openssl, curl and a client with an open connection in another
// network namespace find it: issued, not confirmed, uploaded, confirmed, and after a restart.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { openKeyring } from '../../shared/ground/sealing/keyring.ts';
import { certificates, type Pair } from '../setup/certificates.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SLOW = 300_000;
const NAME = 'gc.lab.example';
const ADDRESS = '10.77.0.1';
const TLS = '/api/v1/management-tls';
const PAGE = '/ui/management/sign-in';

/** What the service is started with, and what is uploaded. */
const made = certificates('first.lab.example', `${NAME},IP:${ADDRESS}`);
const [first, second] = made.paths as [Pair, Pair];
let lab: Lab;
let data: string;
let service: ChildProcess;
let token = '';
let log = '';
let roots = '';

const environment = () => ({
  ...process.env,
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: '0.0.0.0:443',
  GROUNDCREW_TLS_CERT: first.cert,
  GROUNDCREW_TLS_KEY: first.key,
  GROUNDCREW_HOST: `namespace:${lab.appliance}`,
  GROUNDCREW_ADMIN_PASSWORD: 'ready the ground first',
});

beforeAll(async () => {
  lab = makeLab('mgmttls');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-management-tls-'));
  roots = join(data, 'roots.pem');
  await startService();
  const scopes = ['interfaces', 'firewall', 'apply', 'ca', 'management-tls'];
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d', '--scope', 'read:jobs'];
  const all = [...words, ...scopes.flatMap((each) => ['--scope', `write:${each}`])];
  const inside = ['netns', 'exec', lab.appliance, process.execPath, 'dist/groundcrew.js', ...all];
  token = execFileSync('ip', inside, { cwd: ROOT, env: environment(), encoding: 'utf8' }).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
  await apply('confirmed');
  api('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  writeFileSync(roots, api('POST', '/api/v1/certificate-authority/root', {}).pem);
}, SLOW);

afterAll(async () => {
  await stopService();
  lab.remove();
  made.remove();
  rmSync(data, { recursive: true, force: true });
});

async function startService(): Promise<void> {
  log = '';
  const inside = ['netns', 'exec', lab.appliance, process.execPath, 'dist/main.js'];
  service = spawn('ip', inside, { cwd: ROOT, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', () => log.includes('"started"'));
}

async function stopService(): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
}

async function until(what: string, holds: () => boolean, limit = 60_000): Promise<void> {
  for (let waited = 0; waited < limit; waited += 100) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${what}: not within ${limit} ms\n${log.slice(-2_000)}`);
}

const FETCH = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

function call(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const trusting = ['NODE_TLS_REJECT_UNAUTHORIZED=0', process.execPath, '--no-warnings', '-e', FETCH];
  const said = lab.inClient('env', ...trusting, `https://${ADDRESS}${path}`, options);
  if (said === '') throw new Error(`${method} ${path}: no answer`);
  const { status, text } = JSON.parse(said);
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

function api(method: string, path: string, body?: unknown) {
  const { status, body: answer } = call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Submits all that waits; answers the plan. `confirmed`: also confirms it over a new connection, and waits for its end. */
async function apply(how: 'confirmed' | 'waiting', timeout?: number) {
  const plan = api('POST', '/api/v1/apply/plans', {});
  const path = `/api/v1/apply/plans/${plan.id}`;
  const more = timeout === undefined ? {} : { confirm_timeout: timeout };
  const { confirm } = api('POST', `${path}/submit`, { digest: plan.digest, ...more });
  if (!confirm && how === 'waiting') throw new Error(`nothing is to be confirmed: ${JSON.stringify(plan)}`);
  if (confirm) await until('the plan is in force', () => api('GET', path).state === 'confirming');
  if (confirm && how === 'confirmed') api('POST', `${path}/confirm`, { nonce: confirm.nonce });
  if (how === 'confirmed') await until('the apply ends', () => api('GET', path).state === 'applied');
  return { plan, path };
}

/** SHA-256 of the certificate that openssl is shown, and the names in it. */
function shown(): { sha256: string; names: string } {
  const text = lab.inClient(
    'sh',
    '-c',
    `openssl s_client -connect ${ADDRESS}:443 -servername ${NAME} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256 -ext subjectAltName`,
  );
  const [, sha256 = ''] = /Fingerprint=([0-9A-F:]+)/.exec(text) ?? [];
  return { sha256, names: text };
}

const fingerprint = (path: string): string =>
  /Fingerprint=([0-9A-F:]+)/.exec(
    execFileSync('openssl', ['x509', '-in', path, '-noout', '-fingerprint', '-sha256'], { encoding: 'utf8' }),
  )![1]!;

/** What curl says of the page by the name, trusting this file alone. */
const curl = (trusts: string): string =>
  lab.inClient(
    ...['curl', '-s', '-m', '20', '-o', '/dev/null', '-w', '%{http_code}', '--cacert', trusts],
    ...['--resolve', `${NAME}:443:${ADDRESS}`, `https://${NAME}${PAGE}`],
  );

/** Asks on one connection all the time; its end answers each different answer, with the certificate of its connection. */
function askOn(): () => Promise<string[]> {
  const script = `const https = require('node:https'); const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const got = new Set(); let going = true; let sockets = 0;
    const next = (what) => { got.add(what); if (going) setTimeout(ask, 100); else { console.log(JSON.stringify([...got])); process.exit(); } };
    const ask = () => https.get({ host: '${ADDRESS}', path: '/healthz', rejectUnauthorized: false, agent }, (r) => {
        const { socket } = r; socket.name ??= ++sockets + ' ' + socket.getPeerX509Certificate()?.fingerprint256;
        r.resume().on('end', () => next(r.statusCode + ' by ' + socket.name)).on('error', (e) => next(e.code));
      }).on('error', (e) => next(e.code));
    ask(); process.stdin.on('end', () => { going = false; }).resume();`;
  const child = spawn('ip', ['netns', 'exec', lab.client, process.execPath, '-e', script], {
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

test('at first the service shows what it was started with', () => {
  expect(shown().sha256).toBe(fingerprint(first.cert));
  expect(api('GET', TLS)).toMatchObject({
    shown: { sha256: fingerprint(first.cert), applied: false },
    fault: null,
    source: 'self_signed',
    uploaded: null,
  });
});

test(
  'an issued one is shown once it is applied, while an open connection lives on; unconfirmed, the former one comes back',
  async () => {
    api('PATCH', `${TLS}/settings`, { source: 'issued', names: [NAME] });
    expect(shown().sha256).toBe(fingerprint(first.cert));
    expect(curl(roots)).toBe('000');
    const asked = askOn();
    const { plan, path } = await apply('waiting', 90);
    const issued = shown();
    const heard = await asked();
    const unit = plan.units.find(({ id }: { id: string }) => id === 'management-tls');
    expect(unit).toMatchObject({ risk: 'high', interruption: 'none', check: { ok: true } });
    expect(unit.says.join('\n')).toContain(
      `In force is the certificate CN=first.lab.example for first.lab.example, SHA-256 ${fingerprint(first.cert)}`,
    );
    expect(unit.says.join('\n')).toContain(`for ${NAME}, ${ADDRESS}`);
    expect(unit.says.join('\n')).toContain(issued.sha256);
    expect(issued.sha256).not.toBe(fingerprint(first.cert));
    expect(issued.names).toContain(`DNS:${NAME}, IP Address:${ADDRESS}`);
    expect(curl(roots)).toBe('200');
    expect(heard).toEqual([`200 by 1 ${fingerprint(first.cert)}`]);
    await until('the plan is put back', () => api('GET', path).state === 'reverted', 180_000);
    await until('the former certificate is back', () => shown().sha256 === fingerprint(first.cert));
    expect(curl(roots)).toBe('000');
    expect(api('GET', TLS)).toMatchObject({ shown: { applied: false }, fault: null, source: 'issued' });
  },
  SLOW,
);

test(
  'an uploaded one is confirmed, and still shown after a restart with keys of the vaults that open nothing',
  async () => {
    const own_password = 'ready the ground first';
    const files = {
      ...{ certificate: readFileSync(second.cert, 'utf8'), private_key: readFileSync(second.key, 'utf8') },
      own_password,
    };
    const wrong = { ...files, private_key: readFileSync(first.key, 'utf8') };
    expect(call('PUT', `${TLS}/certificate`, wrong)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/private_key' }] },
    });
    api('PUT', `${TLS}/certificate`, files);
    await apply('confirmed');
    expect(shown().sha256).toBe(fingerprint(second.cert));
    expect(curl(second.cert)).toBe('200');
    await stopService();
    const ring = join(data, 'vault.keys');
    renameSync(ring, `${ring}.away`);
    await openKeyring(data, systemEntropy, false);
    await startService();
    expect(shown().sha256).toBe(fingerprint(second.cert));
    expect(api('GET', TLS)).toMatchObject({ shown: { applied: true }, fault: null });
    await stopService();
    renameSync(`${ring}.away`, ring);
  },
  SLOW,
);

test(
  'with a damaged key the service comes up with its own, and says so',
  async () => {
    const found = execFileSync('find', [data, '-name', 'tls.key', '-path', '*management-tls*'], { encoding: 'utf8' });
    const [key = ''] = found.trim().split('\n');
    writeFileSync(key, 'no key');
    await startService();
    expect(shown().sha256).toBe(fingerprint(first.cert));
    const { fault, shown: now } = api('GET', TLS);
    expect(now.applied).toBe(false);
    expect(fault).toContain('missing or damaged');
    expect(log).not.toContain('PRIVATE KEY');
    // Put in force once more, it is shown again.
    const plan = api('POST', '/api/v1/apply/plans', { units: ['management-tls'], reapply: true });
    const path = `/api/v1/apply/plans/${plan.id}`;
    const { confirm } = api('POST', `${path}/submit`, {
      digest: plan.digest,
      overwrite_drift: ['management-tls'],
    });
    await until('the plan is in force', () => api('GET', path).state === 'confirming');
    api('POST', `${path}/confirm`, { nonce: confirm.nonce });
    expect(shown().sha256).toBe(fingerprint(second.cert));
  },
  SLOW,
);
