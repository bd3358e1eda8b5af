// Port 443 of a real service, which the management UI and the offline depot share, as curl and openssl in another network
// namespace find it: who answers to which name, while one of them is flooded, and while names and certificates change.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificates, type Pair } from '../setup/certificates.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SLOW = 300_000;
const OWN = 'gc.lab.example';
const DEPOT = 'depot.lab.example';
const RENAMED = 'software.lab.example';
/** The management UI and the depot answer here. */
const BOTH = '10.77.0.1';
/** The depot alone. */
const ALONE = '10.88.0.1';
const PAGE = '/ui/management/sign-in';
const FILE = '/.groundcrew/applied.txt';
const BASE = '/api/v1/private-cloud-services';

const made = certificates(OWN);
let lab: Lab;
let data: string;
let service: ChildProcess;
let token = '';
let log = '';

const environment = () => {
  const [tls] = made.paths as [Pair];
  return {
    ...process.env,
    GROUNDCREW_DATA: data,
    GROUNDCREW_LISTEN: '0.0.0.0:443',
    GROUNDCREW_TLS_CERT: tls.cert,
    GROUNDCREW_TLS_KEY: tls.key,
    GROUNDCREW_HOST: `namespace:${lab.appliance}`,
    GROUNDCREW_ADMIN_PASSWORD: 'ready the ground first',
  };
};
const roots = (): string => join(data, 'roots.pem');

beforeAll(async () => {
  lab = makeLab('doors');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-shared-port-'));
  const inside = ['netns', 'exec', lab.appliance, process.execPath];
  const options = { cwd: ROOT, env: environment() };
  service = spawn('ip', [...inside, 'dist/main.js'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', () => log.includes('"started"'));
  const scopes = ['interfaces', 'firewall', 'apply', 'ca', 'depot'].flatMap((each) => ['--scope', `write:${each}`]);
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d', ...scopes, '--scope', 'read:jobs'];
  token = execFileSync('ip', [...inside, 'dist/groundcrew.js', ...words], { ...options, encoding: 'utf8' }).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
  const lab0 = { role: 'access', ipv4_cidr: `${ALONE}/24`, ipv6_enabled: false, enabled: true };
  api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
  api('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  const root = api('POST', '/api/v1/certificate-authority/root', {});
  writeFileSync(roots(), root.certificate_pem ?? root.pem);
  api('POST', `${BASE}/http-users`, { name: 'depot', password: 'a depot password of its own' });
  const listening = { enabled: true, listen_interfaces: ['mgmt0', 'lab0'], http_user: 'depot' };
  expect(call('PATCH', `${BASE}/settings`, listening)).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/hostname' }] },
  });
  expect(call('PATCH', `${BASE}/settings`, { ...listening, hostname: OWN }).status).toBe(422);
  api('PATCH', `${BASE}/settings`, { ...listening, hostname: DEPOT });
  await apply();
}, SLOW);

afterAll(async () => {
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  made.remove();
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

function call(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const trusting = ['NODE_TLS_REJECT_UNAUTHORIZED=0', process.execPath, '--no-warnings', '-e', FETCH];
  const said = lab.inClient('env', ...trusting, `https://${BOTH}${path}`, options);
  if (said === '') throw new Error(`${method} ${path}: no answer`);
  const { status, text } = JSON.parse(said);
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

function api(method: string, path: string, body?: unknown) {
  const { status, body: answer } = call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
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
  expect(api('GET', `/api/v1/jobs/${job_id}`)).toMatchObject({ state: 'succeeded' });
}

const CURL = ['-s', '-m', '20', '-o', '/dev/null', '-w', '%{http_code} '];
const towards = (address: string, ...names: string[]) =>
  names.flatMap((name) => ['--resolve', `${name}:443:${address}`]);

/** Status of a path, asked for by a name (or an address) at an address; `host`: another name in the request. */
const status = (address: string, name: string, path: string, host = name): string =>
  lab.inClient('curl', ...CURL, '-k', ...towards(address, name), '-H', `Host: ${host}`, `https://${name}${path}`);

/** Who the certificate is for, as openssl is shown it. Two programs that write to one pipe at a time would mix their lines. */
const certificate = (address: string, ...args: string[]): string =>
  lab.inClient(
    'sh',
    '-c',
    `said=$(openssl s_client -connect ${address}:443 ${args.join(' ')} </dev/null 2>&1)
      { echo "$said" | openssl x509 -noout -subject -nameopt multiline 2>/dev/null | sed -n 's/.*commonName *= //p'; echo "$said"; } |
      grep -E '^${OWN}$|^${DEPOT}$|^${RENAMED}$|unrecognized' | sed 's/.*unrecognized name.*/unrecognized name/' | sort -u`,
  );

describe('who answers', () => {
  test('by curl, each at its name, with the certificate of that name', () => {
    const asked = (...args: string[]) => lab.inClient('curl', ...CURL, ...args);
    const [own] = made.paths as [Pair];
    expect(asked('--cacert', roots(), ...towards(BOTH, DEPOT), `https://${DEPOT}${FILE}`)).toBe('200');
    expect(asked('--cacert', own.cert, ...towards(BOTH, OWN), `https://${OWN}${PAGE}`)).toBe('200');
    expect(asked('--cacert', roots(), ...towards(BOTH, OWN), `https://${OWN}${PAGE}`)).toBe('000');
  });

  test('by openssl, with a name, with another one, and with none', () => {
    expect(certificate(BOTH, '-servername', DEPOT)).toBe(DEPOT);
    expect(certificate(BOTH, '-servername', OWN)).toBe(OWN);
    expect(certificate(BOTH, '-servername', 'other.example')).toBe(OWN);
    expect(certificate(BOTH, '-noservername')).toBe(OWN);
    for (const version of ['-tls1_2', '-tls1_3']) expect(certificate(BOTH, '-servername', DEPOT, version)).toBe(DEPOT);
    expect(certificate(ALONE, '-noservername')).toBe(DEPOT);
  });

  test.each<[address: string, name: string, host: string, page: string, file: string, assets: string]>([
    [BOTH, BOTH, BOTH, '200', '404', '404'],
    [BOTH, OWN, OWN, '200', '404', '404'],
    [BOTH, DEPOT, DEPOT, '404', '200', '404'],
    [BOTH, DEPOT, OWN, '421', '421', '421'],
    [BOTH, DEPOT, BOTH, '421', '421', '421'],
    [BOTH, OWN, DEPOT, '421', '421', '421'],
    [BOTH, BOTH, DEPOT, '421', '421', '421'],
    [BOTH, 'other.example', 'other.example', '421', '421', '421'],
    [ALONE, ALONE, ALONE, '404', '200', '404'],
    [ALONE, DEPOT, DEPOT, '404', '200', '404'],
    [ALONE, DEPOT, OWN, '421', '421', '421'],
  ])('at %s, TLS for %s, HTTP for %s', (address, name, host, page, file, assets) => {
    expect(status(address, name, PAGE, host)).toBe(page);
    expect(status(address, name, FILE, host)).toBe(file);
    expect(status(address, name, '/assets/none.js', host)).toBe(assets);
  });

  test('a kept connection is no way to another name', () => {
    const w = ['-s', '-k', '-o', '/dev/null', '-w', '%{http_code} %{num_connects} '];
    const url = `https://${DEPOT}${FILE}`;
    const other = ['--next', ...w, '-H', `Host: ${OWN}`, url, '--next', ...w, url];
    expect(lab.inClient('curl', ...w, ...towards(BOTH, DEPOT), url, ...other)).toBe('200 1 421 0 200 0');
  });
});

/** Runs a script of the client until it is ended; answers what it printed. */
function running(script: string): () => Promise<string> {
  const child = spawn('ip', ['netns', 'exec', lab.client, process.execPath, '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = new Promise((done) => child.on('close', done));
  return async () => {
    child.stdin.end();
    await ended;
    return text;
  };
}

/** Holds so many connections with half a request, and opens another for each that ends. */
const hold = (name: string, count: number) =>
  running(`const open = () => require('node:tls').connect({ host: '${BOTH}', port: 443, servername: '${name}', rejectUnauthorized: false },
      function () { this.write('GET / HTTP/1.1\\r\\nhost:'); }).on('error', () => {}).on('close', () => setTimeout(open, 500));
    for (let n = 0; n < ${count}; n++) open();
    process.stdin.on('end', () => process.exit()).resume();`);

describe('one address that takes all that it may have of one plane', () => {
  test.each<[string, string, string, string, number]>([
    ['the depot', DEPOT, OWN, PAGE, 600],
    ['the management UI', OWN, DEPOT, FILE, 128],
  ])(
    'of %s, gets an answer of the other',
    async (_plane, name, other, path, most) => {
      const end = hold(name, most + 40);
      try {
        await until('the plane is full for this address', () => status(BOTH, name, '/') === '000');
        for (let at = 0; at < 5; at += 1) expect(status(BOTH, other, path)).toBe('200');
        await until('it is still full', () => status(BOTH, name, '/') === '000');
      } finally {
        await end();
      }
    },
    SLOW,
  );
});

/** Asks again and again, each time with a new connection; at its end it answers what came of it, and how often. */
function askOn(name: string, path: string): () => Promise<Record<string, number>> {
  const end = running(`const got = {}; let going = true;
    const next = (what) => { got[what] = (got[what] ?? 0) + 1; if (going) setTimeout(ask, 20); else console.log(JSON.stringify(got)); };
    const ask = () => require('node:https').get({ host: '${BOTH}', path: '${path}', servername: '${name}',
      headers: { host: '${name}' }, rejectUnauthorized: false, agent: false }, (r) => {
        const { CN } = r.socket.getPeerCertificate().subject;
        r.resume().on('end', () => next(r.statusCode + ' ' + CN)).on('error', (e) => next(e.code));
      }).on('error', (e) => next(/alert number 112/.test(e.message) ? 'alert' : e.code));
    ask();
    process.stdin.on('end', () => { going = false; }).resume();`);
  return async () => JSON.parse(await end());
}

test(
  'another name and certificate of the depot break no connection, of the depot or of the management UI',
  async () => {
    const [managed, before, after] = [askOn(OWN, PAGE), askOn(DEPOT, FILE), askOn(RENAMED, FILE)];
    api('PATCH', `${BASE}/settings`, { hostname: RENAMED });
    await apply();
    await until('the depot has its new name', () => certificate(BOTH, '-servername', RENAMED) === RENAMED);
    expect(status(BOTH, RENAMED, FILE)).toBe('200');
    const answers = await Promise.all([managed(), before(), after()]);
    expect(Object.keys(answers[0]!)).toEqual([`200 ${OWN}`]);
    // By its former name it is nobody's, and by its next one it was nobody's before.
    expect(answers[1]).toMatchObject({ [`200 ${DEPOT}`]: expect.any(Number) });
    expect(answers[2]).toMatchObject({ [`200 ${RENAMED}`]: expect.any(Number) });
    for (const each of [answers[1]!, answers[2]!])
      expect(Object.keys(each).filter((what) => !/^(200|421) |^alert$/.test(what))).toEqual([]);
  },
  SLOW,
);

test(
  'the depot comes and goes, and the management UI answers all the time',
  async () => {
    const managed = askOn(OWN, PAGE);
    api('PATCH', `${BASE}/settings`, { enabled: false });
    await apply();
    await until('the depot is gone', () => status(BOTH, RENAMED, FILE) === '421');
    expect(status(BOTH, BOTH, PAGE)).toBe('200');
    api('PATCH', `${BASE}/settings`, { enabled: true });
    await apply();
    await until('the depot is back', () => status(BOTH, RENAMED, FILE) === '200');
    expect(Object.keys(await managed())).toEqual([`200 ${OWN}`]);
  },
  SLOW,
);
