// A browser that follows the public page: before it, Chromium refuses a service that has a certificate of the authority; after
// the page's own lines it loads it. Service, portal, page, certutil and browser are real, in two network namespaces.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startBrowser } from '../setup/browser.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MANAGEMENT = 'http://10.77.0.1:8080';
const DEPOT = 'https://10.88.0.1/';
const AUTHORITY = '/api/v1/certificate-authority';
const SLOW = 300_000;

let lab: Lab;
let data: string;
let home: string;
let service: ChildProcess;
let token = '';
let log = '';

const environment = () => ({
  ...process.env,
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: '0.0.0.0:8080',
  GROUNDCREW_PUBLIC_LISTEN: '0.0.0.0:8081',
  GROUNDCREW_HOST: `namespace:${lab.appliance}`,
  GROUNDCREW_ADMIN_PASSWORD: 'ready the ground first',
});

beforeAll(async () => {
  lab = makeLab('trust');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-trust-'));
  home = join(data, 'home');
  mkdirSync(home);
  const inAppliance = ['netns', 'exec', lab.appliance, process.execPath];
  const options = { cwd: ROOT, env: environment() };
  service = spawn('ip', [...inAppliance, 'dist/main.js'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until(() => log.includes('"started"'));
  const scopes = ['write:interfaces', 'write:firewall', 'write:apply', 'write:ca', 'write:depot', 'read:jobs'];
  const words = ['dist/groundcrew.js', 'token', 'create', '--name', 'test', '--lifetime', '1d'];
  const made = [...inAppliance, ...words, ...scopes.flatMap((scope) => ['--scope', scope])];
  token = execFileSync('ip', made, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  api('PATCH', '/api/v1/firewall/settings', { enabled: false });
  const lab0 = { role: 'access', ipv4_cidr: '10.88.0.1/24', ipv6_enabled: false, enabled: true };
  api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
  api('PATCH', `${AUTHORITY}/settings`, { enabled: true, key_algorithm: 'ecdsa-p256', listen_interfaces: ['lab0'] });
  api('POST', `${AUTHORITY}/root`);
  const depot = { enabled: true, listen_interfaces: ['lab0'], allow_unauthenticated_access: true };
  api('PATCH', '/api/v1/private-cloud-services/settings', depot);
  await apply();
  await until(() => log.includes('"depot certificate"'));
}, SLOW);

afterAll(async () => {
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

const FETCH = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

function api(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { status, text } = JSON.parse(lab.inClient(process.execPath, '-e', FETCH, MANAGEMENT + path, options));
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

async function apply(): Promise<void> {
  const plan = api('POST', '/api/v1/apply/plans', {});
  const path = `/api/v1/apply/plans/${plan.id}`;
  const { job_id, confirm } = api('POST', `${path}/submit`, { digest: plan.digest });
  if (confirm) {
    await until(() => api('GET', path).state === 'confirming');
    api('POST', `${path}/confirm`, { nonce: confirm.nonce });
  }
  await until(() => ['succeeded', 'failed'].includes(api('GET', `/api/v1/jobs/${job_id}`).state));
  expect(api('GET', `/api/v1/jobs/${job_id}`)).toMatchObject({ state: 'succeeded' });
}

/** What Chromium says of the depot: the status of its answer, or why it loads nothing. */
async function loaded(): Promise<string> {
  const browser = await startBrowser(lab.client, home);
  try {
    const page = await browser.newPage();
    const answer = await page.goto(DEPOT).catch((error: Error) => /net::\w+/.exec(error.message)?.[0] ?? error.message);
    return typeof answer === 'string' ? answer : String(answer?.status());
  } finally {
    await browser.close();
  }
}

/** Of the page at the called interface: the lines under one heading, as somebody copies them. */
function linesOf(heading: string): string {
  const html = lab.inClient('curl', '-fsS', 'http://10.88.0.1:8081/ui/public/ca');
  const [, lines = ''] = new RegExp(`<h2>${heading}</h2>.*?<pre>(.*?)</pre>`, 's').exec(html) ?? [];
  return lines.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

test(
  'Chromium refuses the service first, and loads it after the lines of the page',
  async () => {
    expect(await loaded()).toBe('net::ERR_CERT_AUTHORITY_INVALID');
    const lines = linesOf('Chrome and Chromium on Linux').replaceAll('/tmp/', `${data}/`);
    expect(lines).toContain('certutil -d');
    const ran = lab.inClient('env', `HOME=${home}`, 'sh', '-euc', lines);
    expect(ran.replaceAll(/.*=/g, '')).toBe(api('GET', `${AUTHORITY}/root`).sha256);
    expect(await loaded()).toMatch(/^[2-4]\d\d$/);
  },
  SLOW,
);

test(
  'curl with the root that Debian’s lines fetch loads it as well, and without it refuses',
  () => {
    const [fetch = '', print = ''] = linesOf('Debian and Ubuntu')
      .replaceAll('/usr/local/share/ca-certificates/', `${data}/`)
      .split('\n');
    const ran = lab.inClient('sh', '-euc', `${fetch}\n${print}`);
    expect(ran).toContain(api('GET', `${AUTHORITY}/root`).sha256);
    const curl = (...args: string[]) =>
      lab.inClient('curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{ssl_verify_result}', ...args, DEPOT);
    expect(curl()).toMatch(/^000 (?!0)/);
    expect(curl('--cacert', join(data, 'groundcrew-root-ca.crt'))).toMatch(/^[2-4]\d\d 0$/);
    expect(readFileSync(join(data, 'groundcrew-root-ca.crt'), 'utf8')).not.toContain('PRIVATE');
  },
  SLOW,
);
