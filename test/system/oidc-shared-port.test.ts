// Port 443 of a real service, which the management UI, the offline depot and the OpenID Connect provider share: who answers to which
// name; and there, as a product in another network namespace: Apache with mod_auth_openidc, at which people sign in for real.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificates, type Pair } from '../setup/certificates.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';
import { apacheConfiguration } from './apache-openidc.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SLOW = 300_000;
const OWN = 'gc.lab.example';
const DEPOT = 'depot.lab.example';
const ID = 'id.lab.example';
/** The management UI, the depot and the provider answer here. */
const ALL = '10.77.0.1';
/** The depot and the provider. */
const TWO = '10.88.0.1';
const PAGE = '/ui/management/sign-in';
const DISCOVERY = '/identity/.well-known/openid-configuration';
const PASSWORD = 'ready the ground first';
const PRODUCT = 'http://localhost:8090';

const made = certificates(OWN);
let lab: Lab;
let data: string;
let service: ChildProcess;
let apache: ChildProcess | undefined;
let token = '';
let log = '';
let registered: { client_id: string; client_secret: string };

const environment = () => {
  const [tls] = made.paths as [Pair];
  return {
    ...process.env,
    GROUNDCREW_DATA: data,
    GROUNDCREW_LISTEN: '0.0.0.0:443',
    GROUNDCREW_TLS_CERT: tls.cert,
    GROUNDCREW_TLS_KEY: tls.key,
    GROUNDCREW_HOST: `namespace:${lab.appliance}`,
    GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
  };
};
const file = (name: string): string => join(data, name);

beforeAll(async () => {
  lab = makeLab('oidc');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-oidc-'));
  mkdirSync(`/etc/netns/${lab.client}`, { recursive: true });
  writeFileSync(`/etc/netns/${lab.client}/hosts`, `127.0.0.1 localhost\n${TWO} ${ID}\n`);
  const inside = ['netns', 'exec', lab.appliance, process.execPath];
  const options = { cwd: ROOT, env: environment() };
  service = spawn('ip', [...inside, 'dist/main.js'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until(() => log.includes('"started"'));
  const areas = ['interfaces', 'firewall', 'apply', 'ca', 'depot', 'oidc'];
  const scopes = areas.flatMap((each) => ['--scope', `write:${each}`]);
  const words = ['token', 'create', '--name', 'test', '--lifetime', '1d', ...scopes, '--scope', 'read:jobs'];
  token = execFileSync('ip', [...inside, 'dist/groundcrew.js', ...words], { ...options, encoding: 'utf8' }).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
  const lab0 = { role: 'access', ipv4_cidr: `${TWO}/24`, ipv6_enabled: false, enabled: true };
  api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
  api('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  const root = api('POST', '/api/v1/certificate-authority/root', {});
  writeFileSync(file('roots.pem'), root.certificate_pem ?? root.pem);
  api('POST', '/api/v1/private-cloud-services/http-users', { name: 'depot', password: 'a depot password of its own' });
  const listen_interfaces = ['mgmt0', 'lab0'];
  const depot = { enabled: true, listen_interfaces, http_user: 'depot', hostname: DEPOT };
  api('PATCH', '/api/v1/private-cloud-services/settings', depot);
  // At the same port a name of its own is what tells it apart.
  for (const hostname of [OWN, DEPOT, ''])
    expect(call('PATCH', '/api/v1/oidc/settings', { enabled: true, listen_interfaces, hostname }).status).toBe(422);
  api('PATCH', '/api/v1/oidc/settings', { enabled: true, listen_interfaces, hostname: ID });
  await apply();
  const client = { name: 'Apache', redirect_uris: [`${PRODUCT}/callback`], logout_uris: [`${PRODUCT}/bye`] };
  const { client: row, client_secret } = api('POST', '/api/v1/oidc/clients', client);
  registered = { client_id: row.id, client_secret };
}, SLOW);

afterAll(async () => {
  apache?.kill('SIGTERM');
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  made.remove();
  rmSync(`/etc/netns/${lab.client}`, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
});

const FETCH = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

function call(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const trusting = ['NODE_TLS_REJECT_UNAUTHORIZED=0', process.execPath, '--no-warnings', '-e', FETCH];
  const said = lab.inClient('env', ...trusting, `https://${ALL}${path}`, options);
  const { status, text } = JSON.parse(said || '{"status":0,"text":"no answer"}');
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

function api(method: string, path: string, body?: unknown) {
  const { status, body: answer } = call(method, path, body);
  if (status === 0 || status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

async function apply() {
  const plan = api('POST', '/api/v1/apply/plans', {});
  const path = `/api/v1/apply/plans/${plan.id}`;
  const { job_id, confirm } = api('POST', `${path}/submit`, { digest: plan.digest });
  const job = () => api('GET', `/api/v1/jobs/${job_id}`);
  if (confirm) {
    await until(() => api('GET', path).state === 'confirming' || job().state === 'failed');
    if (job().state !== 'failed') api('POST', `${path}/confirm`, { nonce: confirm.nonce });
  }
  await until(() => ['succeeded', 'failed'].includes(job().state));
  if (job().state === 'failed') throw new Error(`${JSON.stringify(job())}\n${log.slice(-3_000)}`);
}

const CURL = ['-s', '-m', '20', '-o', '/dev/null', '-w', '%{http_code} '];
const towards = (address: string, ...names: string[]) =>
  names.flatMap((name) => ['--resolve', `${name}:443:${address}`]);

/** Status of a path, asked for by a name (or an address) at an address; `host`: another name in the request. */
const status = (address: string, name: string, path: string, host = name, ...more: string[]): string =>
  lab.inClient(
    'curl',
    ...CURL,
    '-k',
    ...towards(address, name),
    '-H',
    `Host: ${host}`,
    ...more,
    `https://${name}${path}`,
  );

/** Who the certificate is for, as openssl is shown it. */
const certificate = (address: string, ...args: string[]): string =>
  lab.inClient(
    'sh',
    '-c',
    `openssl s_client -connect ${address}:443 ${args.join(' ')} </dev/null 2>&1 |
      { tee /dev/stderr | openssl x509 -noout -subject -nameopt multiline 2>/dev/null | sed -n 's/.*commonName *= //p'; } 2>&1 |
      grep -E '^${OWN}$|^${DEPOT}$|^${ID}$|unrecognized' | sed 's/.*unrecognized name.*/unrecognized name/' | sort -u`,
  );

describe('the sign-in of the appliance itself', () => {
  test('went from end to end at each address, as part of the apply', () => {
    const done = [...log.matchAll(/"path":"\/identity\/me","status":200,"source_address":"([0-9.]+)"/g)];
    expect(done.map(([, source]) => source).sort()).toEqual(expect.arrayContaining([ALL, TWO]));
  });

  test('is there for nobody else', () => {
    const asked = new URLSearchParams({
      ...{ client_id: 'groundcrew-probe', response_type: 'code', scope: 'openid', state: 's' },
      ...{
        redirect_uri: `https://${ID}/.groundcrew/probe`,
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      },
    });
    for (const address of [ALL, TWO]) expect(status(address, ID, `/identity/auth?${asked}`)).toBe('400');
  });
});

describe('who answers at 443', () => {
  test('by curl, which trusts the root alone, each at its name', () => {
    const trusting = (name: string, address: string, path: string) =>
      lab.inClient('curl', ...CURL, '--cacert', file('roots.pem'), ...towards(address, name), `https://${name}${path}`);
    for (const address of [ALL, TWO]) {
      expect(trusting(ID, address, DISCOVERY)).toBe('200');
      expect(trusting(DEPOT, address, '/.groundcrew/applied.txt')).toBe('200');
    }
  });

  test('the certificate is chosen by the name of the connection', () => {
    for (const address of [ALL, TWO])
      for (const version of ['-tls1_2', '-tls1_3']) {
        expect(certificate(address, '-servername', ID, version)).toBe(ID);
        expect(certificate(address, '-servername', DEPOT, version)).toBe(DEPOT);
      }
    expect(certificate(ALL, '-noservername')).toBe(OWN);
    expect(certificate(TWO, '-noservername')).toBe('unrecognized name');
    expect(certificate(TWO, '-servername', 'other.example')).toBe('unrecognized name');
  });

  test.each<[address: string, name: string, host: string, page: string, discovery: string]>([
    [ALL, ID, ID, '404', '200'],
    [ALL, DEPOT, DEPOT, '404', '404'],
    [ALL, OWN, OWN, '200', '404'],
    [ALL, ALL, ALL, '200', '404'],
    [ALL, ID, DEPOT, '421', '421'],
    [ALL, ID, OWN, '421', '421'],
    [ALL, ID, ALL, '421', '421'],
    [ALL, DEPOT, ID, '421', '421'],
    [ALL, OWN, ID, '421', '421'],
    [ALL, ALL, ID, '421', '421'],
    [TWO, ID, ID, '404', '200'],
    [TWO, DEPOT, DEPOT, '404', '404'],
    [TWO, ID, DEPOT, '421', '421'],
    [TWO, ID, TWO, '421', '421'],
    [TWO, DEPOT, ID, '421', '421'],
    [TWO, TWO, TWO, '000', '000'],
    [TWO, TWO, ID, '000', '000'],
  ])(
    'at %s, TLS for %s, HTTP for %s: the sign-in of the UI %s, discovery %s',
    (address, name, host, page, discovery) => {
      expect(status(address, name, PAGE, host)).toBe(page);
      expect(status(address, name, DISCOVERY, host)).toBe(discovery);
    },
  );

  test('a name in the target of the request is no way around it', () => {
    const target = (host: string) => ['--request-target', `https://${host}${DISCOVERY}`];
    expect(status(TWO, ID, DISCOVERY, ID, ...target(ID))).toBe('400');
    expect(['400', '421']).toContain(status(TWO, ID, DISCOVERY, ID, ...target(DEPOT)));
    expect(['400', '404', '421']).toContain(status(TWO, DEPOT, DISCOVERY, DEPOT, ...target(ID)));
  });

  test('a kept connection is no way to another name', () => {
    const w = ['-s', '-k', '-o', '/dev/null', '-w', '%{http_code} %{num_connects} '];
    const url = `https://${ID}${DISCOVERY}`;
    const other = ['--next', ...w, '-H', `Host: ${DEPOT}`, url, '--next', ...w, url];
    expect(lab.inClient('curl', ...w, ...towards(TWO, ID), url, ...other)).toBe('200 1 421 0 200 0');
  });
});

describe('Apache with mod_auth_openidc', () => {
  beforeAll(async () => {
    const served = file('apache');
    mkdirSync(served, { mode: 0o755 });
    chmodSync(data, 0o755);
    writeFileSync(
      file('httpd.conf'),
      apacheConfiguration({
        ...{ folder: served, product: PRODUCT, roots: file('roots.pem'), ...registered },
        metadata: `https://${ID}${DISCOVERY}`,
        end_session: `https://${ID}/identity/session/end`,
      }),
    );
    const words = ['netns', 'exec', lab.client, 'apache2', '-D', 'FOREGROUND', '-f', file('httpd.conf')];
    apache = spawn('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });
    apache.stderr!.setEncoding('utf8').on('data', (text: string) => (log += text));
    await until(() => lab.inClient('curl', ...CURL, `${PRODUCT}/bye`) === '200', 30_000);
  }, SLOW);

  /** A browser without script: it keeps cookies, follows redirects, and answers with headers, page, and where it is. */
  function browser(jar: string) {
    const common = ['-s', '-m', '30', '-i', '-L', '--cacert', file('roots.pem'), '-b', file(jar), '-c', file(jar)];
    const said = (...args: string[]) => {
      const text = lab.inClient('curl', ...common, '-w', '\nAT %{http_code} %{url_effective}', ...args);
      const [, code = '', at = ''] = /\nAT (\d+) (.*)$/.exec(text) ?? [];
      return { text, code, at };
    };
    const field = (text: string, name: string) =>
      new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1] ?? '';
    return {
      open: (url: string) => said(url),
      post: (url: string, fields: Record<string, string>) =>
        said(...Object.entries(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]), url),
      field,
    };
  }

  test(
    'signs in an administrator by the form, knows the groups, and signs out everywhere',
    () => {
      const { open, post, field } = browser('jar');
      const form = open(`${PRODUCT}/private`);
      expect(form.at).toMatch(/^https:\/\/id\.lab\.example\/identity\/interaction\//);
      expect(form.text).toContain('Sign in to Apache');
      const csrf = field(form.text, 'csrf');
      const wrong = post(form.at, { csrf, username: 'admin', password: 'wrong' });
      expect([wrong.code, wrong.at]).toEqual(['401', form.at]);
      const inside = post(form.at, { csrf, username: 'admin', password: PASSWORD });
      expect([inside.code, inside.at]).toEqual(['200', `${PRODUCT}/private`]);
      expect(inside.text).toMatch(/^x-user: admin\r?$/im);
      expect(inside.text).toMatch(/^x-groups: admin\r?$/im);
      expect(inside.text).toMatch(/^x-sub: [0-9a-f-]{36}\r?$/im);
      // Whoever is signed in and has not the group that the product wants is told so by the product.
      expect(['401', '403']).toContain(open(`${PRODUCT}/others`).code);
      const leaving = open(`${PRODUCT}/callback?logout=${encodeURIComponent(`${PRODUCT}/bye`)}`);
      expect(leaving.text).toContain('Sign out everywhere');
      const gone = post(`https://${ID}/identity/session/end/confirm`, {
        xsrf: field(leaving.text, 'xsrf'),
        logout: 'yes',
      });
      expect(gone.at).toMatch(new RegExp(`^${PRODUCT}/bye`));
      expect(open(`${PRODUCT}/private`).text).toContain('name="password"');
    },
    SLOW,
  );

  test('what the service and Apache logged has no secret, code or password in it', () => {
    const all = log + readFileSync(file('apache/error.log'), 'utf8');
    expect(all).toContain('OpenID Connect request');
    for (const secret of [registered.client_secret, PASSWORD]) expect(all).not.toContain(secret);
    expect(log).not.toMatch(/[?&]code=/);
  });
});
