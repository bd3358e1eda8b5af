// Serving a module of 1 GiB: the built appliance's boot listener against nginx with sendfile, interleaved rounds in one
// run, what counts is the median of the per-round ratios. Besides: memory while eight machines load at once, and ranges
// held against the file.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describeNeed, install, missingOf } from '../../build/machine.ts';
import { openFolder } from '../../shared/services/network-boot/esxi-media/folder.ts';
import { contentPath, mediumFolder } from '../../shared/services/network-boot/esxi-media/media-folder.ts';
import { unpack } from '../../shared/services/network-boot/esxi-media/unpack.ts';
import { MANIFEST_PATH, writeManifest } from '../../shared/services/network-boot/manifest.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MODULE_BYTES = 2 ** 30;
const ROUNDS = 8;
const MACHINES = 8;
const BAR = 0.8;
/** What the process may grow by while eight machines load 1 GiB each. */
const GROWTH_MOST = 64 << 20;
const ID = 'medium_bench';
const PORTS = { management: 18_421, boot: 18_422, nginx: 18_423 };

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const data = join(folder, 'data');
const host = { resolve: (path: string) => join(data, 'host', 'rehearsal', path) };
const servers: ChildProcess[] = [];

async function main(): Promise<void> {
  const missing = install(missingOf(['nginx']));
  if (missing.length > 0) return console.log(`can't run here, missing: ${missing.map(describeNeed).join(', ')}`);
  await prepare();
  const appliance = await start(process.execPath, ['dist/main.js'], PORTS.boot, {
    GROUNDCREW_DATA: data,
    GROUNDCREW_LISTEN: `127.0.0.1:${PORTS.management}`,
    GROUNDCREW_BOOT_LISTEN: `127.0.0.1:${PORTS.boot}`,
    GROUNDCREW_ADMIN_PASSWORD: 'correct horse battery',
    GROUNDCREW_LOG_LEVEL: 'error',
  });
  const nginx = await start('nginx', ['-c', nginxConfig(), '-p', folder], PORTS.nginx);
  const urls = {
    appliance: `http://127.0.0.1:${PORTS.boot}/boot/media/${ID}/s.v00`,
    nginx: `http://127.0.0.1:${PORTS.nginx}/s.v00`,
  };
  for (const url of Object.values(urls)) download(url);
  const idle = resident(appliance);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const order = round % 2 === 0 ? (['appliance', 'nginx'] as const) : (['nginx', 'appliance'] as const);
    const measured = { appliance: 0, nginx: 0 };
    for (const which of order) measured[which] = download(urls[which]);
    return measured;
  });
  const one = median(rounds.map(({ appliance: ours, nginx: theirs }) => ours / theirs));
  row('one machine', rounds, one);
  const crowd = [];
  for (let round = 0; round < 2; round++) {
    crowd.push({ appliance: await together(urls.appliance), nginx: await together(urls.nginx) });
  }
  row(`${MACHINES} machines`, crowd, median(crowd.map(({ appliance: ours, nginx: theirs }) => ours / theirs)));
  const growth = resident(appliance) - idle;
  const most = peak(appliance);
  console.log(
    `memory: ${mib(idle)} after one, ${mib(idle + growth)} after all, ${mib(most)} at most; nginx ${mib(peak(nginx))}`,
  );
  const wrong = await ranges(urls.appliance);
  console.log(`ranges: 50 asked, ${wrong} wrong`);
  const held = one >= BAR && most - idle < GROWTH_MOST && wrong === 0;
  console.log(
    held ? `holds: ratio ${one.toFixed(2)}, bar ${BAR}` : `DOES NOT HOLD: ratio ${one.toFixed(2)}, bar ${BAR}`,
  );
  if (!held) process.exitCode = 1;
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB/s`;
const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;

function row(what: string, rounds: { appliance: number; nginx: number }[], ratio: number): void {
  const of = (which: 'appliance' | 'nginx') => gib(median(rounds.map((round) => round[which])));
  console.log(`${what}: appliance ${of('appliance')}, nginx ${of('nginx')}, ratio ${ratio.toFixed(2)}`);
}

/** A medium with one large module, as unpacked, and a manifest that serves it. */
async function prepare(): Promise<void> {
  const source = join(folder, 'source');
  mkdirSync(source);
  const files = { 'boot.cfg': 'kernel=/b.b00\nmodules=/s.v00\n', 'b.b00': 'kernel', 'mboot.efi': 'MZ' };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(source, name), content);
  const handle = openSync(join(source, 's.v00'), 'w');
  for (let at = 0; at < MODULE_BYTES; at += 1 << 20) {
    writeSync(
      handle,
      createHash('shake256', { outputLength: 4096 })
        .update(String(at))
        .digest()
        .toString('binary')
        .repeat(256)
        .slice(0, 1 << 20),
      null,
      'latin1',
    );
  }
  closeSync(handle);
  const medium = await unpack(openFolder(source), { host, id: ID });
  const { content_digest, loaders, boot_config } = medium;
  const origin = `http://127.0.0.1:${PORTS.boot}`;
  const listeners = [{ interface: 'lo', address: '127.0.0.1', port: PORTS.boot, origin }];
  const media = [{ id: ID, name: 'Bench', content_digest, loaders, boot_config }];
  const path = host.resolve(MANIFEST_PATH);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, writeManifest({ version: 1, listeners, hosts: [], kickstarts: [], media }));
  rmSync(source, { recursive: true });
}

function nginxConfig(): string {
  const path = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    path,
    `daemon off; user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 64; }
http { access_log off; sendfile on; tcp_nopush on; ${temporary.join(' ')}
  server { listen 127.0.0.1:${PORTS.nginx}; root ${dirname(contentPath(mediumFolder(host, ID), 'x'))}; } }
`,
  );
  return path;
}

async function start(
  program: string,
  args: string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  servers.push(child);
  for (let waited = 0; waited < 20_000; waited += 100) {
    const heard = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (heard) return child;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${program} does not answer`);
}

const CURL = ['-s', '-f', '-o', '/dev/null', '-w', '%{speed_download} %{size_download}'];

/** Bytes a second. @throws Error when it was not the whole module. */
function download(url: string): number {
  const { stdout, status } = spawnSync('curl', [...CURL, url], { encoding: 'utf8' });
  const [speed, size] = stdout.split(' ').map(Number);
  if (status !== 0 || size !== MODULE_BYTES) throw new Error(`${url}: curl ended with ${status} after ${size} bytes`);
  return speed!;
}

async function together(url: string): Promise<number> {
  const started = performance.now();
  const clients = Array.from({ length: MACHINES }, () =>
    spawn('curl', ['-s', '-f', '-o', '/dev/null', url], { stdio: 'ignore' }),
  );
  const codes = await Promise.all(clients.map((client) => new Promise((done) => client.on('exit', done))));
  if (codes.some((code) => code !== 0)) throw new Error(`${url}: a client failed`);
  return (MACHINES * MODULE_BYTES) / ((performance.now() - started) / 1000);
}

/** How many of fifty ranges are not the bytes of the file. */
async function ranges(url: string): Promise<number> {
  const handle = openSync(contentPath(mediumFolder(host, ID), 's.v00'), 'r');
  let wrong = 0;
  for (let at = 0; at < 50; at += 1) {
    const start = Math.floor((MODULE_BYTES / 50) * at) + at;
    const length = 1 + ((at * 7919) % 300_000);
    const response = await fetch(url, { headers: { range: `bytes=${start}-${start + length - 1}` } });
    const got = Buffer.from(await response.arrayBuffer());
    const wanted = Buffer.alloc(length);
    readSync(handle, wanted, 0, length, start);
    if (response.status !== 206 || !got.equals(wanted)) wrong += 1;
  }
  closeSync(handle);
  return wrong;
}

const status = (child: ChildProcess, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
const resident = (child: ChildProcess): number => status(child, 'VmRSS');
const peak = (child: ChildProcess): number => status(child, 'VmHWM');

try {
  await main();
} finally {
  for (const server of servers) server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
