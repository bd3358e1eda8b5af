// What somebody who may send what he likes, but has no right to anything, costs all others: for each attack the longest
// wait of another client, in multiples of its wait while nobody attacks, the memory that the attack takes, and the
// connections that are still held after it. In one run, against the built appliance over TLS.
// HOSTILE_DIST: the built appliance, `dist` by default; another one shows what a change is worth. HOSTILE_ONLY: part of the
// name of the attacks that are run.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { createToken, type NewToken } from '../../shared/kernel/access/token.ts';
import { createUser } from '../../shared/kernel/access/user.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import { MANIFEST_PATH, writeManifest } from '../../shared/services/offline-depot/manifest.ts';
import { type Attack, addresses, call, guess, hold, signIn } from './hostile-attacks.ts';
import type { Visit, Visited } from './hostile-visitor.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DIST = resolve(process.env.HOSTILE_DIST ?? join(ROOT, 'dist'));
const TLS = join(ROOT, 'test/fixtures/tls');
const PORTS = { management: 18_441, depot: 18_442 };
const PASSWORD = 'correct horse battery';
/** Times its wait at rest that another client may wait for while bodies are thrown at the appliance. */
const BODIES_MOST = 30;
/** From here nobody attacks: somebody unknown, somebody whose token is known, and the administrator. */
const STRANGER = '127.0.0.201';
const KNOWN = '127.0.0.202';
const ADMIN = '127.0.0.203';
const FORM = '/ui/management/sign-in';

let running: ChildProcess | undefined;
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const environment = {
  GROUNDCREW_DATA: join(folder, 'data'),
  GROUNDCREW_LISTEN: `127.0.0.1:${PORTS.management}`,
  GROUNDCREW_DEPOT_LISTEN: `127.0.0.1:${PORTS.depot}`,
  GROUNDCREW_TLS_CERT: join(TLS, 'cert.pem'),
  GROUNDCREW_TLS_KEY: join(TLS, 'key.pem'),
  GROUNDCREW_LOG_LEVEL: 'error',
};

/** A token and a session of the administrator, and a session of a viewer. */
interface Prepared {
  token: string;
  admin: string;
  viewer: string;
}

async function main(): Promise<void> {
  const { token, admin, viewer } = await prepare();
  const bearer = { authorization: `Bearer ${token}` };
  const stranger: Visit = { port: PORTS.management, path: FORM, from: STRANGER, headers: {} };
  const known: Visit = { port: PORTS.management, path: '/api/v1/jobs', from: KNOWN, headers: bearer };
  const depot: Visit = { port: PORTS.depot, path: '/PROD/none', from: STRANGER, headers: {} };
  const many = addresses(11, 12);
  const { management, depot: depot_port } = PORTS;
  const pipelined = `GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  const half = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n';
  const body = `[${'1,'.repeat(524_286)}1]`;
  const post = { port: management, method: 'POST', path: '/api/v1/users', from: '127.0.0.11', body };
  const json = { 'content-type': 'application/json' };
  const bombs = (headers: object): Attack => {
    for (let count = 0; count < 20; count++) void call({ ...post, headers: { ...json, ...headers } });
    return { end: () => undefined };
  };

  await attack('unfinished handshakes, management', { visits: { stranger, known }, seconds: 15 }, () =>
    hold({ port: management, from: many, each: 100, bytes: '\x16' }),
  );
  await attack('unfinished handshakes, depot', { visits: { stranger: depot }, seconds: 15 }, () =>
    hold({ port: depot_port, from: many, each: 100, bytes: '\x16' }),
  );
  await attack('1,600 requests of /openapi.json unread', { visits: { stranger }, seconds: 25 }, () =>
    hold({ port: management, from: ['127.0.0.11'], each: 1, bytes: pipelined.repeat(1_600), tls: true, unread: true }),
  );
  await attack('8 each over 100 connections, unread', { visits: { stranger }, seconds: 15 }, () =>
    hold({ port: management, from: ['127.0.0.11'], each: 100, bytes: pipelined.repeat(8), tls: true, unread: true }),
  );
  await attack('half requests', { visits: { stranger, known }, seconds: 25 }, () =>
    hold({ port: management, from: many, each: 100, bytes: half, tls: true }),
  );
  await attack('refused requests', { visits: { stranger, known }, seconds: 12 }, () =>
    hold({ port: management, from: many, each: 100, bytes: 'hello\r\n\r\n', tls: true }),
  );
  const most = BODIES_MOST;
  await attack('20 bodies of 1 MiB, no token', { visits: { stranger }, seconds: 8, most }, () => bombs({}));
  await attack('20 bodies of 1 MiB, a token', { visits: { stranger }, seconds: 8, most }, () => bombs(bearer));
  if (chosen('wrong passwords')) await flooded();
  if (chosen('event streams')) await crowded(viewer, admin);
}

const chosen = (name: string): boolean => name.includes(process.env.HOSTILE_ONLY ?? '');

interface Measured {
  visits: Record<string, Visit>;
  /** For how long the attack goes on; after it, its connections are counted before they are ended. */
  seconds: number;
  /** Times the wait at rest that is permitted. */
  most?: number;
}

/** An appliance of its own for each attack, so that none inherits what another one left. */
async function attack(name: string, { visits, seconds, most }: Measured, begin: () => Attack): Promise<void> {
  if (!chosen(name)) return;
  const appliance = await start();
  const rest: Record<string, Visited> = {};
  for (const [who, visit] of Object.entries(visits)) rest[who] = await watched(visit, 2);
  const { port } = Object.values(visits)[0]!;
  const before = clearPeak(appliance.pid!);
  const watching = Object.entries(visits).map(([who, visit]) => ({ who, visitor: watch(visit) }));
  const attacking = begin();
  await pause(seconds * 1_000);
  const held = slots(port);
  const seen = await Promise.all(watching.map(async ({ who, visitor }) => ({ who, visited: await visitor.stop() })));
  attacking.end();
  await pause(500);
  console.log(`${name}, for ${seconds} s`);
  for (const { who, visited } of seen) say(who, median(rest[who]!.waits), visited, seconds, most);
  const memory = `memory ${mib(before)}, at most ${mib(status(appliance.pid!, 'VmHWM'))}`;
  console.log(`  ${memory}; connections held at its end ${held}, after it ${slots(port)}`);
  await stop(appliance);
}

function say(who: string, rest: number, visited: Visited, seconds: number, most: number | undefined): void {
  const { waits, unanswered, answered_from } = visited;
  const longest = waits.length > 0 ? Math.max(...waits) : Number.POSITIVE_INFINITY;
  const times = longest / rest;
  const waited = `waited ${times.toFixed(0)} times as long as at rest (${longest.toFixed(0)} ms to ${rest.toFixed(0)} ms)`;
  const shut = unanswered > 0 ? `, got no answer ${unanswered} times, ${until(answered_from, seconds)}` : '';
  const bar = most === undefined ? '' : `, bar ${most}: ${times <= most && unanswered === 0 ? 'met' : 'MISSED'}`;
  console.log(`  ${who.padEnd(9)} ${waits.length === 0 ? 'was never answered' : waited}${shut}${bar}`);
}

const until = (from: number | null, seconds: number): string =>
  from === null ? `to the end of the ${seconds} s` : `until ${(from / 1000).toFixed(1)} s`;

async function flooded(): Promise<void> {
  const appliance = await start();
  const timed = async (): Promise<{ took: number; status: number }> => {
    const began = performance.now();
    const status = await signIn(PORTS.management, ADMIN, 'admin', PASSWORD);
    return { took: performance.now() - began, status };
  };
  const rest = median([(await timed()).took, (await timed()).took, (await timed()).took]);
  const attacking = guess(PORTS.management, addresses(11, 40), 'admin');
  await pause(2_000);
  const tries: { took: number; status: number }[] = [];
  const began = performance.now();
  do tries.push(await timed());
  while (tries.at(-1)!.status !== 303 && performance.now() - began < 40_000);
  const took = performance.now() - began;
  attacking.end();
  const { status } = tries.at(-1)!;
  console.log('wrong passwords for admin from 40 addresses');
  const outcome =
    status === 303 ? `was signed in after ${(took / rest).toFixed(0)} times as long as at rest` : 'did not get in';
  const others = tries.slice(0, -1).map((each) => each.status);
  const refused =
    others.length > 0 ? `, refused before: ${[...new Set(others)].join(', ')} (${others.length} times)` : '';
  console.log(`  admin     ${outcome} (${took.toFixed(0)} ms to ${rest.toFixed(0)} ms)${refused}`);
  await stop(appliance);
}

/** A viewer opens as many streams as there are: what is left for another user. */
async function crowded(viewer: string, admin: string): Promise<void> {
  const appliance = await start();
  const head = (cookie: string) =>
    `GET /ui/management/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: __Host-groundcrew_session=${cookie}\r\n\r\n`;
  const attacking = hold({ port: PORTS.management, from: ['127.0.0.11'], each: 64, bytes: head(viewer), tls: true });
  await pause(2_000);
  const headers = { cookie: `__Host-groundcrew_session=${admin}` };
  const asked = { port: PORTS.management, method: 'GET', path: '/ui/management/events', from: ADMIN, headers };
  const status = await Promise.race([call(asked).then((heard) => heard.status), pause(2_000).then(() => 200)]);
  console.log('event streams: one viewer asks for 64');
  console.log(
    `  ${slots(PORTS.management)} connections stay; the administrator ${status === 200 ? 'follows events' : `is answered ${status}`}`,
  );
  attacking.end();
  await stop(appliance);
}

/** An administrator with a token and a session, a viewer with a session, and a depot that is in force. */
async function prepare(): Promise<Prepared> {
  const services = await openServices(readConfig(environment));
  await firstStart(services, PASSWORD, () => undefined);
  const { store } = services;
  const admin = (await store.one<{ id: string }>('SELECT id FROM user'))!;
  const owner = { user_id: admin.id, name: 'admin', scopes: scopesOfRole('admin') };
  const wanted: NewToken = { name: 'bench', scopes: [...owner.scopes], lifetime: 86_400 };
  const { secret } = await store.write((tx) => createToken(tx, services, owner, wanted));
  const password_hash = await hashPassword('a viewer of the bench');
  const session = (user_id: string) => store.write((tx) => startSession(tx, services, user_id, '127.0.0.1', null));
  const viewer = await store.write((tx) => createUser(tx, services, { name: 'viewer', role: 'viewer', password_hash }));
  const seen = await session(viewer.id);
  const own = await session(admin.id);
  await store.write((tx) =>
    saveSettings(tx, services, certificateAuthoritySettings, { enabled: true, key_algorithm: 'ecdsa-p384' }, null),
  );
  await store.write((tx) => createRoot(tx, services, 'bench'));
  const manifest = services.host.resolve(MANIFEST_PATH);
  mkdirSync(dirname(manifest), { recursive: true });
  const listeners = [{ interface: 'lo', address: '127.0.0.1', port: PORTS.depot }];
  const access = { http_user: null, allow_unauthenticated_access: true };
  writeFileSync(manifest, writeManifest({ version: 1, listeners, hostname: 'depot.lab.example', ...access }));
  await store.close();
  return { token: secret, admin: own.id, viewer: seen.id };
}

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(DIST, 'main.js')], {
    cwd: dirname(DIST),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  running = child;
  for (let waited = 0; waited < 20_000; waited += 100) {
    const heard = await Promise.all(
      Object.values(PORTS).map((port) => call({ port, method: 'GET', path: '/healthz', from: '127.0.0.1' })),
    );
    if (heard.every(({ status: answered }) => answered > 0)) return child;
    await pause(100);
  }
  throw new Error('the appliance does not answer');
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.on('exit', done));
  child.kill('SIGKILL');
  await ended;
}

function watch(visit: Visit): { stop(): Promise<Visited> } {
  const worker = new Worker(new URL('./hostile-visitor.ts', import.meta.url), { workerData: visit });
  const told = new Promise<Visited>((done, failed) => worker.once('message', done).once('error', failed));
  return {
    stop: () => {
      worker.postMessage('stop');
      return told;
    },
  };
}

async function watched(visit: Visit, seconds: number): Promise<Visited> {
  const watching = watch(visit);
  await pause(seconds * 1_000);
  return watching.stop();
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
const status = (pid: number, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** What it has now; the most that it ever had begins anew. */
function clearPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return status(pid, 'VmRSS');
}

/** Connections of the appliance, as the kernel has them. */
function slots(port: number): number {
  const states = ['established', 'close-wait', 'fin-wait-1', 'fin-wait-2'].flatMap((state) => ['state', state]);
  const lines = execFileSync('ss', ['-Htnp', ...states, `( sport = :${port} )`], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(`pid=${running!.pid},`)).length;
}

try {
  await main();
} finally {
  (running as ChildProcess | undefined)?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
