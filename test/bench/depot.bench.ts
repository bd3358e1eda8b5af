// Serving a file of 1 GiB with a login, interleaved rounds in one run, what counts is the median of the per-round ratios.
// Over TLS: the built appliance's depot against nginx, which can send with sendfile there only where the kernel encrypts;
// whether it did is printed. So once more without TLS, where nginx always sends with sendfile: against the appliance's
// handler of these files on a plain server. Besides: what 500 slow readers do to a fast one, and to memory.
// DEPOT_GIB, DEPOT_ROUNDS: size of the file, 1 by default, and rounds of each, 8.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describeNeed, install, missingOf } from '../../build/machine.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../shared/platform/certificate-authority/issue.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import { createItem } from '../../shared/platform/units/collection-store.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import {
  CERTIFICATE_PURPOSE,
  DEPOT_STORE,
  MANIFEST_PATH,
  writeManifest,
} from '../../shared/services/offline-depot/manifest.ts';
import { depotUsers } from '../../shared/services/offline-depot/users.ts';
import { startNginx } from '../deployment/depot-nginx.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FILE_BYTES = Math.round(Number(process.env.DEPOT_GIB ?? 1) * 1024) << 20;
const FILE = '/PROD/COMP/SDDC_MANAGER_VCF/bench.ova';
const ROUNDS = Number(process.env.DEPOT_ROUNDS ?? 8);
const SLOW = 500;
/** Addresses that the slow ones come from: none of them may open as many connections as all together. */
const SLOW_FROM = 5;
const BAR = 0.8;
/** What the process may grow by while the slow ones are served. */
const GROWTH_MOST = 160 << 20;
/** How much longer the fast one may take beside them. */
const BESIDE_MOST = 2;
const HOSTNAME = 'depot.lab.example';
const LOGIN = { username: 'depot', password: 'a depot password for a bench' };
const PORTS = { management: 18_431, depot: 18_432, nginx: 18_433, plain: 18_434, plain_nginx: 18_435 };

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const data = join(folder, 'data');
const environment = {
  GROUNDCREW_DATA: data,
  GROUNDCREW_LISTEN: `127.0.0.1:${PORTS.management}`,
  GROUNDCREW_DEPOT_LISTEN: `127.0.0.1:${PORTS.depot}`,
  GROUNDCREW_ADMIN_PASSWORD: 'correct horse battery',
  GROUNDCREW_LOG_LEVEL: 'error',
};
const endings: (() => unknown)[] = [];

async function main(): Promise<void> {
  const missing = install(missingOf(['nginx']));
  if (missing.length > 0) return console.log(`can't run here, missing: ${missing.map(describeNeed).join(', ')}`);
  const { store, cert_pem, key_pem } = await prepare();
  const nginx = await startNginx({
    ...{ folder: join(folder, 'nginx'), store, cert_pem, key_pem, ...LOGIN },
    ...{ port: PORTS.nginx, plain_port: PORTS.plain_nginx },
  });
  endings.push(() => nginx.stop());
  const plain = await besidePlain();
  const appliance = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  endings.push(() => appliance.kill('SIGTERM'));
  await answering(PORTS.depot);
  const pids = { appliance: appliance.pid!, nginx: nginx.pid };
  const ratio = compare('TLS', secure(PORTS.depot), secure(PORTS.nginx));
  console.log(
    `TLS by the kernel: ${kernelTls() ? 'yes, nginx sent with sendfile' : 'no, nginx could not use sendfile'}`,
  );
  const idle = resident(pids.appliance);
  const beside = { appliance: await crowd(PORTS.depot, pids.appliance), nginx: await crowd(PORTS.nginx, pids.nginx) };
  for (const [which, { alone, with_slow, grown, open }] of Object.entries(beside)) {
    const times = `${alone.toFixed(2)} s alone, ${with_slow.toFixed(2)} s beside ${open} slow readers (${(with_slow / alone).toFixed(2)} times)`;
    console.log(`${which}: ${times}; memory grew by ${mib(grown)}`);
  }
  const { alone, with_slow, grown, open } = beside.appliance;
  console.log(`memory of the appliance: ${mib(idle)} before them, ${mib(status(pids.appliance, 'VmHWM'))} at most`);
  const slower = with_slow / alone;
  const faults = [
    ...(ratio < BAR ? [`ratio over TLS ${ratio.toFixed(2)}, bar ${BAR}`] : []),
    ...(plain < BAR ? [`ratio without TLS ${plain.toFixed(2)}, bar ${BAR}`] : []),
    ...(slower > BESIDE_MOST ? [`${slower.toFixed(2)} times the time beside slow readers, bar ${BESIDE_MOST}`] : []),
    ...(grown > GROWTH_MOST ? [`memory grew by ${mib(grown)}, bar ${mib(GROWTH_MOST)}`] : []),
    ...(open < SLOW ? [`only ${open} slow readers were served`] : []),
  ];
  console.log(
    faults.length === 0
      ? `holds: ratio ${ratio.toFixed(2)} over TLS, ${plain.toFixed(2)} without, bar ${BAR}`
      : `DOES NOT HOLD: ${faults.join('; ')}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

/** One reader of each in turn: the ratio of their rates, after a download of each that does not count. */
function compare(how: string, appliance_url: string, nginx_url: string): number {
  const urls = { appliance: appliance_url, nginx: nginx_url };
  for (const url of Object.values(urls)) download(url);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const measured = { appliance: 0, nginx: 0 };
    const order = round % 2 === 0 ? (['appliance', 'nginx'] as const) : (['nginx', 'appliance'] as const);
    for (const which of order) measured[which] = download(urls[which]);
    return measured;
  });
  const ratio = median(rounds.map(({ appliance, nginx }) => appliance / nginx));
  const gib = (which: 'appliance' | 'nginx') =>
    `${(median(rounds.map((round) => round[which])) / 2 ** 30).toFixed(2)} GiB/s`;
  console.log(`one reader, ${how}: appliance ${gib('appliance')}, nginx ${gib('nginx')}, ratio ${ratio.toFixed(2)}`);
  return ratio;
}

/** Before the appliance starts: the handler has the data folder for itself. */
async function besidePlain(): Promise<number> {
  const program = join(import.meta.dirname, 'depot-plain-program.ts');
  const child = spawn(process.execPath, [program, String(PORTS.plain)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  endings.push(() => child.kill());
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout!, 'data'), ended]);
  const at = (port: number) => `http://127.0.0.1:${port}${FILE}`;
  const ratio = compare('without TLS, nginx with sendfile', at(PORTS.plain), at(PORTS.plain_nginx));
  child.kill();
  await ended;
  return ratio;
}

/** Whether a connection of this machine was ever encrypted by the kernel for its program: asked after nginx could. */
function kernelTls(): boolean {
  if (!existsSync('/proc/net/tls_stat')) return false;
  return /^TlsTx(?:Sw|Device)\s+[1-9]/m.test(readFileSync('/proc/net/tls_stat', 'utf8'));
}

const secure = (port: number): string => `https://127.0.0.1:${port}${FILE}`;

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
const status = (pid: number, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
const resident = (pid: number): number => status(pid, 'VmRSS');

let ca_pem = '';

/** A depot as it is in force: root, user, manifest and one large file. */
async function prepare(): Promise<{ store: string; cert_pem: string; key_pem: string }> {
  const services = await openServices(readConfig(environment));
  await services.store.write((tx) =>
    saveSettings(tx, services, certificateAuthoritySettings, { enabled: true, key_algorithm: 'ecdsa-p384' }, null),
  );
  const root = await services.store.write((tx) => createRoot(tx, services, 'bench'));
  ca_pem = root.pem;
  writeFileSync(join(folder, 'ca.pem'), ca_pem);
  const password_hash = await hashPassword(LOGIN.password);
  await services.store.write((tx) =>
    createItem(tx, services, depotUsers, { name: LOGIN.username, password_hash, created_by: 'bench' }),
  );
  const made = await ensureServerCertificate(services, {
    purpose: CERTIFICATE_PURPOSE,
    names: [HOSTNAME, '127.0.0.1'],
  });
  const manifest = services.host.resolve(MANIFEST_PATH);
  mkdirSync(dirname(manifest), { recursive: true });
  const listeners = [{ interface: 'lo', address: '127.0.0.1', port: PORTS.depot }];
  const access = { http_user: LOGIN.username, allow_unauthenticated_access: false };
  writeFileSync(manifest, writeManifest({ version: 1, listeners, hostname: HOSTNAME, ...access }));
  const store = services.host.resolve(DEPOT_STORE);
  await services.store.close();
  mkdirSync(dirname(join(store, FILE)), { recursive: true });
  const handle = openSync(join(store, FILE), 'w');
  for (let at = 0; at < FILE_BYTES; at += 1 << 20) {
    const piece = createHash('shake256', { outputLength: 4096 }).update(String(at)).digest();
    writeSync(handle, Buffer.concat(Array(256).fill(piece)));
  }
  closeSync(handle);
  return { store, cert_pem: made.cert_pem, key_pem: made.key_pem };
}

async function answering(port: number): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 200) {
    const heard = await new Promise((done) => {
      const socket = connect({ host: '127.0.0.1', port, servername: HOSTNAME, ca: ca_pem }, () => {
        socket.destroy();
        done(true);
      });
      socket.on('error', () => done(false));
    });
    if (heard) return;
    await pause(200);
  }
  throw new Error('the depot does not answer');
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const curl = (url: string): string[] => [
  ...['-s', '-f', '--noproxy', '*', '--cacert', join(folder, 'ca.pem')],
  ...['-o', '/dev/null', '-w', '%{speed_download} %{size_download}'],
  ...['-u', `${LOGIN.username}:${LOGIN.password}`, url],
];

/** Bytes a second. @throws Error when it was not the whole file. */
function download(url: string): number {
  const { stdout, status: code } = spawnSync('curl', curl(url), { encoding: 'utf8' });
  const [speed, size] = stdout.split(' ').map(Number);
  if (code !== 0 || size !== FILE_BYTES) throw new Error(`${url}: curl ended with ${code} after ${size} bytes`);
  return speed!;
}

/** The same beside others: not in the same turn of this process, which has to read for the slow ones. */
async function timed(port: number): Promise<number> {
  const began = performance.now();
  const child: ChildProcess = spawn('curl', curl(secure(port)), { stdio: 'ignore' });
  const code = await new Promise((done) => child.on('exit', done));
  if (code !== 0) throw new Error(`port ${port}: curl ended with ${String(code)}`);
  return (performance.now() - began) / 1000;
}

/** Reads a little every second, and never all of it. */
function slowReader(port: number, at: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${2 + (at % SLOW_FROM)}`;
    // Node takes it; its types know of no address of our own with TLS.
    const place = { host: '127.0.0.1', port, servername: HOSTNAME, ca: ca_pem, localAddress };
    const socket = connect(place);
    const login = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64');
    socket.write(`GET ${FILE} HTTP/1.1\r\nhost: ${HOSTNAME}\r\nauthorization: Basic ${login}\r\n\r\n`);
    socket.once('data', () => {
      socket.pause();
      const timer = setInterval(() => socket.read(), 1_000);
      socket.once('close', () => clearInterval(timer));
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

async function crowd(port: number, pid: number) {
  const alone = median([await timed(port), await timed(port), await timed(port)]);
  const before = resident(pid);
  const slow = await Promise.all(Array.from({ length: SLOW }, (_, at) => slowReader(port, at)));
  await pause(5_000);
  const with_slow = median([await timed(port), await timed(port), await timed(port)]);
  const grown = resident(pid) - before;
  const open = slow.filter(({ destroyed }) => !destroyed).length;
  for (const socket of slow) socket.destroy();
  return { alone, with_slow, grown, open };
}

try {
  await main();
} finally {
  for (const end of endings) await end();
  rmSync(folder, { recursive: true, force: true });
}
