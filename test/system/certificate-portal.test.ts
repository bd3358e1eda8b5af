// The certificate portal of a real service, on real addresses of a network namespace, as machines in another one find it: what
// was applied, plain HTTP, and nothing else of the appliance. Real programs check certificates by the addresses in them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { signingRequest } from '../setup/signing-request.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PORTAL = 'http://10.88.0.1';
const MANAGEMENT = 'http://10.77.0.1:8080';
const PUBLIC = 'http://10.77.0.1:8081';
const AUTHORITY = '/api/v1/certificate-authority';
const SLOW = 300_000;

let lab: Lab;
let data: string;
let service: ChildProcess;
let token = '';
let log = '';
let authority = '';

const environment = () => ({
  ...process.env,
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: '0.0.0.0:8080',
  GROUNDCREW_PUBLIC_LISTEN: '10.77.0.1:8081',
  GROUNDCREW_HOST: `namespace:${lab.appliance}`,
  GROUNDCREW_ADMIN_PASSWORD: 'ready the ground first',
});
const file = (name: string): string => join(data, name);

beforeAll(async () => {
  lab = makeLab('portal');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-portal-'));
  service = spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, 'dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
  });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('the service listens', () => log.includes('"started"'));
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d'];
  const scopes = ['interfaces', 'firewall', 'apply', 'ca', 'ca-requests', 'pxe', 'depot'].flatMap((resource) => [
    '--scope',
    `write:${resource}`,
  ]);
  token = execFileSync(
    'ip',
    [
      'netns',
      'exec',
      lab.appliance,
      process.execPath,
      'dist/groundcrew.js',
      ...words,
      ...scopes,
      '--scope',
      'read:jobs',
    ],
    { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: environment() },
  ).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
  const lab0 = { role: 'access', ipv4_cidr: '10.88.0.1/24', ipv6_enabled: false, enabled: true };
  api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
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

function call(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { status, text } = JSON.parse(lab.inClient(process.execPath, '-e', FETCH, MANAGEMENT + path, options));
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
  return plan;
}

/** Status, type and size of an answer. */
const curl = (url: string, ...args: string[]): string =>
  lab.inClient(
    'curl',
    '-s',
    '-m',
    '10',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code} %{content_type} %{size_download}',
    ...args,
    url,
  );

/** A certificate for a key of somebody else, as a file. */
function issue(name: string): { id: string; text: string } {
  const { csr } = signingRequest({ subject: `/CN=${name}.lab.example`, names: `DNS:${name}.lab.example` });
  const issued = api('POST', `${AUTHORITY}/certificates`, { csr, profile: 'server' });
  const pem: string = issued.pem ?? api('GET', `${AUTHORITY}/certificates/${issued.id}`).pem;
  writeFileSync(file(`${name}.pem`), pem);
  return {
    id: issued.id,
    text: execFileSync('openssl', ['x509', '-noout', '-text'], { input: pem, encoding: 'utf8' }),
  };
}

const NAMED = /CRL Distribution|Authority Information Access|http:/;

test(
  'before it is in force nothing answers, and no certificate names it',
  async () => {
    api('PATCH', `${AUTHORITY}/settings`, { enabled: true, key_algorithm: 'ecdsa-p256', listen_interfaces: ['lab0'] });
    authority = api('POST', `${AUTHORITY}/root`).id;
    api('PATCH', `${AUTHORITY}/settings`, { portal_hostname: 'ca.lab.example' });
    expect(issue('before').text).not.toMatch(NAMED);
    expect(curl(`${PORTAL}/ca/root.crt`)).toMatch(/^000/);
    await apply();
    await until('the signer is made', () => log.includes('OCSP signers'));
  },
  SLOW,
);

test(
  'it hands out the root, the list and answers of OCSP, and nothing else',
  async () => {
    const found = Object.fromEntries(
      ['root.crt', 'root.pem', 'root.p7b', `${authority}.crt`, `${authority}.pem`].map((name) => [
        name,
        curl(`${PORTAL}/ca/${name}`).replace(/ \d+$/, ''),
      ]),
    );
    expect(found).toEqual({
      'root.crt': '200 application/pkix-cert',
      'root.pem': '200 application/x-pem-file',
      'root.p7b': '200 application/pkcs7-mime',
      [`${authority}.crt`]: '200 application/pkix-cert',
      [`${authority}.pem`]: '200 application/x-pem-file',
    });
    for (const path of [
      '/',
      '/ca',
      '/ca/',
      '/ca/root.key',
      '/ca/ca_none.crt',
      '/ca/../ca/root.crt/',
      '/ca/ocsp',
      '/ca/ocsp/',
      '/ca/ocsp/!!',
      '/ui/management',
      '/ui/public',
      '/api/v1/certificate-authority/root',
      '/problems',
      '/healthz',
      '/assets/x',
      '/boot/menu.ipxe',
      '/PROD/x',
    ]) {
      expect([path, curl(`${PORTAL}${path}`, '--path-as-is')]).toEqual([path, '404 text/plain; charset=utf-8 10']);
    }
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'POST'])
      expect(curl(`${PORTAL}/ca/root.crt`, '-X', method)).toMatch(/^404/);
    // Nor is any of it on the other planes.
    for (const origin of [MANAGEMENT, PUBLIC])
      for (const path of ['/ca/root.crt', '/ca/root.crl', '/ca/ocsp', '/ca/applied.txt'])
        expect([origin, path, curl(origin + path).slice(0, 3)]).toEqual([origin, path, '404']);
    expect(curl('http://10.77.0.1/ca/root.crt')).toMatch(/^000/);
  },
  SLOW,
);

test(
  'certificates name it now, and OpenSSL and GnuTLS believe what it says',
  async () => {
    const good = issue('good');
    expect(good.text).toMatch(
      /CRL Distribution Points: \n\s+Full Name:\n\s+URI:http:\/\/ca\.lab\.example\/ca\/ca_\w+\.crl/,
    );
    expect(good.text).toMatch(/CA Issuers - URI:http:\/\/ca\.lab\.example\/ca\/ca_\w+\.crt/);
    expect(good.text).toMatch(/OCSP - URI:http:\/\/ca\.lab\.example\/ca\/ocsp/);
    const revoked = issue('revoked');
    api('POST', `${AUTHORITY}/certificates/${revoked.id}/revoke`, { revocation_reason: 'keyCompromise' });
    lab.inClient('curl', '-s', '-o', file('root.pem'), `${PORTAL}/ca/root.pem`);
    lab.inClient('curl', '-s', '-o', file('list.crl'), `${PORTAL}/ca/${authority}.crl`);
    const ask = (name: string, ...more: string[]) =>
      lab.inClient(
        'openssl',
        ...['ocsp', '-issuer', file('root.pem'), '-CAfile', file('root.pem'), '-url', `${PORTAL}/ca/ocsp`],
        ...[...more, '-cert', file(`${name}.pem`)],
      );
    expect(ask('good')).toMatch(/good\.pem: good/);
    expect(ask('revoked', '-sha256')).toMatch(/revoked\.pem: revoked\n.*Reason: keyCompromise/s);
    const gnutls = (name: string) =>
      lab.inClient(
        'ocsptool',
        ...[`--ask=${PORTAL}/ca/ocsp`, '--load-issuer', file('root.pem'), '--load-cert', file(`${name}.pem`)],
        ...['--load-trust', file('root.pem')],
      );
    expect(gnutls('good')).toMatch(/Certificate Status: good/);
    expect(gnutls('revoked')).toMatch(/Certificate Status: revoked/);
    const verify = (name: string) =>
      lab.inClient(
        'sh',
        '-c',
        `openssl verify -crl_check -CAfile ${file('root.pem')} -CRLfile ${file('list.crl')} ${file(`${name}.pem`)} 2>&1`,
      );
    expect(verify('good')).toMatch(/OK$/);
    expect(verify('revoked')).toMatch(/certificate revoked/);
    // As a GET, which a cache may keep.
    const asks = [
      'ocsp',
      '-no_nonce',
      '-issuer',
      file('root.pem'),
      '-cert',
      file('good.pem'),
      '-reqout',
      file('r.der'),
    ];
    execFileSync('openssl', asks, { stdio: 'ignore' });
    const inPath = encodeURIComponent(readFileSync(file('r.der')).toString('base64'));
    const headers = lab.inClient('curl', '-s', '-D', '-', '-o', '/dev/null', `${PORTAL}/ca/ocsp/${inPath}`);
    expect(headers).toMatch(/^HTTP\/1\.1 200.*application\/ocsp-response/s);
    expect(headers).toMatch(/max-age=3600/);
  },
  SLOW,
);

test(
  'garbage, large and slow requests get their answer, and a flood of them ends nothing',
  async () => {
    writeFileSync(file('large'), Buffer.alloc(50_000, 0x30));
    expect(curl(`${PORTAL}/ca/ocsp`, '--data-binary', `@${file('large')}`)).toMatch(/^404/);
    expect(curl(`${PORTAL}/ca/ocsp`, '--data-binary', 'no request')).toMatch(/^200 application\/ocsp-response 5$/);
    const flood = `for i in $(seq 100); do curl -s -m 20 -o /dev/null --data-binary @${file('r.der')} ${PORTAL}/ca/ocsp & done; wait`;
    lab.inClient('sh', '-c', flood);
    expect(curl(`${PORTAL}/ca/root.crt`)).toMatch(/^200/);
  },
  SLOW,
);

test('port 80 of an interface is not shared with the offline depot, which speaks TLS', () => {
  const depot = call('PATCH', '/api/v1/private-cloud-services/settings', {
    enabled: true,
    listen_interfaces: ['lab0'],
    port: 80,
  });
  expect([depot.status, depot.body.errors[0].pointer]).toEqual([422, '/port']);
});

test(
  'network boot shares port 80: by Host and path each request goes to one of them, and either can leave',
  async () => {
    const boot = { enabled: true, listen_interfaces: ['lab0'], http_port: 80, tftp_enabled: false };
    api('PATCH', '/api/v1/network-boot/settings', boot);
    await apply();
    const says = (path: string, ...more: string[]) => lab.inClient('curl', '-s', ...more, PORTAL + path).trim();
    const named = ['-H', 'Host: ca.lab.example'];
    await until('network boot answers', () => /^[0-9a-f]{64}$/.test(says('/boot/applied.txt')));
    const applied = says('/ca/applied.txt');
    expect(applied).toMatch(/^[0-9a-f]{64}$/);
    expect(says('/boot/applied.txt')).not.toBe(applied);
    expect(curl(`${PORTAL}/ca/root.crt`)).toMatch(/^200 application\/pkix-cert/);
    // Whoever asks by the portal's name is not told of network boot.
    expect([says('/ca/applied.txt', ...named), says('/boot/applied.txt', ...named)]).toEqual([applied, 'Not found']);
    api('PATCH', `${AUTHORITY}/settings`, { listen_interfaces: [] });
    await apply();
    await until('the portal is gone', () => says('/ca/applied.txt') === 'Not found');
    expect(says('/boot/applied.txt')).toMatch(/^[0-9a-f]{64}$/);
    api('PATCH', `${AUTHORITY}/settings`, { listen_interfaces: ['lab0'] });
    api('PATCH', '/api/v1/network-boot/settings', { enabled: false });
    await apply();
    await until('the portal is back', () => says('/ca/applied.txt') === applied);
    expect(says('/boot/applied.txt')).toBe('Not found');
  },
  SLOW,
);

test(
  'another host name says how many certificates name the old one; without a portal nothing answers',
  async () => {
    api('PATCH', `${AUTHORITY}/settings`, { portal_hostname: 'pki.lab.example' });
    const { units } = await apply();
    const unit = units.find(({ id }: { id: string }) => id === 'certificate-authority');
    expect(JSON.stringify(unit)).toContain('One certificate that is still valid names the portal as ca.lab.example');
    expect(issue('moved').text).toContain(`http://pki.lab.example/ca/${authority}.crl`);
    api('PATCH', `${AUTHORITY}/settings`, { publish_crl: false });
    await apply();
    await until('no list', () => curl(`${PORTAL}/ca/root.crl`).startsWith('404'));
    expect(issue('quiet').text).toMatch(/CA Issuers/);
    expect(issue('quieter').text).not.toMatch(/OCSP - URI|CRL Distribution/);
    api('PATCH', `${AUTHORITY}/settings`, { listen_interfaces: [] });
    await apply();
    await until('the port is closed', () => curl(`${PORTAL}/ca/root.crt`).startsWith('000'));
    expect(issue('after').text).not.toMatch(NAMED);
    expect(log).not.toMatch(/PRIVATE KEY/);
  },
  SLOW,
);
