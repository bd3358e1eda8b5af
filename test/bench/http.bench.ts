// Authenticated GET and PATCH of one interface: the built appliance against a bare node:http server that runs the same
// statements through the same driver, against Fastify with knex, and against FastAPI with Python's own sqlite3, which shares no
// part of ours; beside them SQLite in process, the physical limit. Interleaved rounds in one run; what counts are the medians of
// the per-round ratios. At last how long a GET takes while 16 writers run, beside the same GET alone.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { createToken, type NewToken } from '../../shared/kernel/access/token.ts';
import { bundleProgram } from '../setup/program.ts';
import { serviceEnvironment } from '../setup/service-environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 6;
const SECONDS = 2;
const CONNECTIONS = 16;
/** To the bare server, and to FastAPI. */
const BARS = { GET: { bare: 0.5, fastapi: 5 }, PATCH: { bare: 0.6, fastapi: 2 } } as const;
/** To FastAPI, over one connection. */
const ALONE_BAR = 1.2;
/** The 99th percentile of a GET while 16 writers run, to the one of a GET alone. */
const P99_BAR = 3;
const NAME = 'bench0';
const PATH = `/api/v1/interfaces/physical/${NAME}`;
/** The server on one core, the load on the other, when there are two. */
const PIN = availableParallelism() > 1;

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const servers: ChildProcess[] = [];

const SERVERS = ['appliance', 'bare', 'fastify', 'fastapi'] as const;
type Server = (typeof SERVERS)[number];
type Round = Record<Server | 'sqlite', number>;
const ports: Readonly<Record<Server, number>> = { appliance: 18_411, bare: 18_412, fastify: 18_413, fastapi: 18_414 };

async function main(): Promise<void> {
  await statements();
  const token = await prepare();
  for (const which of SERVERS) if (which !== 'appliance') copyDatabase(which);
  await startAll();
  for (const method of ['GET', 'PATCH'] as const) {
    for (const which of SERVERS) await sameAnswer(method, ports[which], token);
    report(method, CONNECTIONS, rounds(method, token, CONNECTIONS));
    if (method === 'PATCH') report(method, 1, rounds(method, token, 1));
  }
  await besideWriters(token);
}

async function startAll(): Promise<void> {
  await start([process.execPath, 'dist/main.js'], ports.appliance, {
    GROUNDCREW_DATA: join(folder, 'appliance'),
    GROUNDCREW_LISTEN: `127.0.0.1:${ports.appliance}`,
    GROUNDCREW_LOG_LEVEL: 'info',
  });
  for (const which of ['bare', 'fastify', 'fastapi'] as const) {
    const files = ['groundcrew.sqlite', 'groundcrew.keys'].map((name) => join(folder, which, name));
    const program =
      which === 'fastapi'
        ? ['/usr/bin/python3', 'test/bench/fastapi_server.py']
        : [process.execPath, 'test/bench/http-servers.ts', which];
    await start([...program, ...files, String(ports[which])], ports[which]);
  }
}

function rounds(method: 'GET' | 'PATCH', token: string, connections: number): Round[] {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const measured: Round = { appliance: 0, bare: 0, fastify: 0, fastapi: 0, sqlite: 0 };
    for (const which of round % 2 === 0 ? SERVERS : SERVERS.toReversed()) {
      measured[which] = load(method, ports[which], token, connections).rate;
    }
    measured.sqlite = inProcess(method);
    return measured;
  });
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const verdict = (met: boolean) => (met ? 'met' : 'MISSED');

function report(method: 'GET' | 'PATCH', connections: number, measured: Round[]): void {
  const line = (name: string, key: keyof Round) =>
    `  ${name.padEnd(32)} ${Math.round(median(measured.map((round) => round[key])))
      .toString()
      .padStart(7)}/s`;
  const to = (key: keyof Round) => measured.map((round) => round.appliance / round[key]);
  console.log(`${method} one interface, ${ROUNDS} rounds of ${SECONDS} s, ${connections} connections`);
  console.log(line('groundcrew', 'appliance'));
  console.log(line('bare node:http + the same driver', 'bare'));
  console.log(line('fastify + knex', 'fastify'));
  console.log(line('FastAPI + sqlite3 of Python', 'fastapi'));
  console.log(line('SQLite in process', 'sqlite'));
  const bars = connections === 1 ? { bare: 0, fastapi: ALONE_BAR } : BARS[method];
  for (const [name, bar] of Object.entries(bars) as ['bare' | 'fastapi', number][]) {
    const ratios = to(name);
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const held = bar > 0 ? `, bar ${bar}: ${verdict(median(ratios) >= bar)}` : '';
    console.log(`  to ${name} ${median(ratios).toFixed(2)} (${spread})${held}`);
  }
}

/** Each round the GET alone first, and then beside writers of the same appliance. */
async function besideWriters(token: string): Promise<void> {
  const pairs: { alone: number; beside: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = load('GET', ports.appliance, token, 1).p99;
    const writing = writers(token);
    const beside = load('GET', ports.appliance, token, 1).p99;
    await writing;
    pairs.push({ alone, beside });
  }
  const ratio = median(pairs.map(({ alone, beside }) => beside / alone));
  const [alone, beside] = [median(pairs.map((pair) => pair.alone)), median(pairs.map((pair) => pair.beside))];
  console.log(
    `p99 of a GET: alone ${alone.toFixed(2)} ms, beside ${CONNECTIONS} writers ${beside.toFixed(2)} ms: ${ratio.toFixed(1)} x, bar ${P99_BAR}: ${verdict(ratio <= P99_BAR)}`,
  );
}

/** Sixteen writers for as long as one measurement takes, and a little longer. */
function writers(token: string): Promise<void> {
  const [program, ...args] = loading('PATCH', ports.appliance, token, CONNECTIONS, SECONDS + 1);
  const child = spawn(program!, args, { stdio: 'ignore' });
  return new Promise((done) => child.on('exit', () => done()));
}

/** Statements of each request, BEGIN and COMMIT among them; they do not depend on the machine. */
async function statements(): Promise<void> {
  const program = await bundleProgram('test/bench/statements-program.ts');
  const told = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  const { GET, PATCH } = JSON.parse(told) as { GET: number; PATCH: number };
  rmSync(join(program, '..'), { recursive: true });
  console.log(
    `statements: GET ${GET} (bar 2: ${verdict(GET <= 2)}), PATCH ${PATCH} with BEGIN and COMMIT (bar 6: ${verdict(PATCH <= 6)})`,
  );
}

/** A data folder with an admin, a token and one more interface; answers the token. */
async function prepare(): Promise<string> {
  const data = join(folder, 'appliance');
  const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
  await firstStart(services, 'correct horse battery', () => undefined);
  const [admin] = await services.store.all<{ id: string }>('SELECT id FROM user');
  const owner = { user_id: admin!.id, name: 'admin', scopes: scopesOfRole('admin') };
  const wanted: NewToken = { name: 'bench', scopes: ['write:interfaces'], lifetime: 86_400 };
  const { secret } = await services.store.write((tx) => createToken(tx, services, owner, wanted));
  await services.store.close();
  const database = new DatabaseSync(join(data, 'groundcrew.sqlite'));
  database.exec(`INSERT INTO interface (name, id, kind, mac_address, role, enabled, ipv4_cidr, updated_at, observed)
    VALUES ('${NAME}', '${NAME}', 'physical', '02:00:00:00:00:99', 'access', 1, '10.99.0.1/24', '2026-01-01T00:00:00.000Z',
      '{"ipv4_cidrs":["10.99.0.1/24"],"ipv6_cidrs":[],"mtu":1500,"link":"up"}')`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return secret;
}

function copyDatabase(which: string): void {
  mkdirSync(join(folder, which));
  for (const file of ['groundcrew.sqlite', 'groundcrew.keys'])
    copyFileSync(join(folder, 'appliance', file), join(folder, which, file));
}

async function start(args: string[], port: number, environment: Record<string, string> = {}): Promise<void> {
  const command = PIN ? ['taskset', '-c', '0', ...args] : args;
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    // All servers have it.
    env: { ...process.env, ...serviceEnvironment, ...environment },
  });
  servers.push(child);
  for (let waited = 0; waited < 10_000; waited += 20) {
    const up = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`${args.join(' ')} did not start`);
}

/** A benchmark of wrong answers measures nothing. */
async function sameAnswer(method: string, port: number, token: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    ...(method === 'PATCH' && { body: '{"mtu":1400}' }),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (answer.status !== 200 || body.name !== NAME || (method === 'PATCH' && body.mtu !== 1400)) {
    throw new Error(`port ${port} answers ${method} with ${answer.status} ${JSON.stringify(body)}`);
  }
}

/** How wrk is called. */
function loading(method: string, port: number, token: string, connections: number, seconds: number): string[] {
  const script = join(folder, `${method}.lua`);
  writeFileSync(
    script,
    `wrk.headers["authorization"] = "Bearer ${token}"\nwrk.headers["content-type"] = "application/json"\nlocal n = 0\n` +
      `request = function()\n n = n + 1\n return wrk.format("${method}", nil, nil, ${method === 'PATCH' ? "'{\"mtu\":' .. (1400 + n % 100) .. '}'" : 'nil'})\nend\n`,
  );
  const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script];
  return [...(PIN ? ['taskset', '-c', '1'] : []), 'wrk', ...how, `http://127.0.0.1:${port}${PATH}`];
}

const MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

/** Requests per second and the 99th percentile in milliseconds, as wrk counts them; any answer but 2xx fails the run. */
function load(method: string, port: number, token: string, connections: number): { rate: number; p99: number } {
  const [program, ...args] = loading(method, port, token, connections, SECONDS);
  const output = execFileSync(program!, args, { encoding: 'utf8' });
  if (/Non-2xx/.test(output)) throw new Error(`port ${port}: ${output}`);
  const [, p99 = '', unit = ''] = /99%\s+([0-9.]+)(us|ms|s)/.exec(output) ?? [];
  return { rate: Number(/Requests\/sec:\s+([0-9.]+)/.exec(output)?.[1]), p99: Number(p99) * MS[unit]! };
}

/** The same statements on node:sqlite, synchronously, in this process: what the disk and SQLite themselves allow. */
function inProcess(method: string): number {
  const database = new DatabaseSync(join(folder, 'bare', 'groundcrew.sqlite'));
  database.exec('PRAGMA synchronous = FULL');
  const one = database.prepare('SELECT * FROM interface WHERE name = ?');
  const update = database.prepare('UPDATE interface SET mtu = ?, revision = revision + 1 WHERE name = ?');
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < 500) {
    count++;
    if (method === 'GET') one.get(NAME);
    else {
      database.exec('BEGIN IMMEDIATE');
      one.get(NAME);
      update.run(1400 + (count % 100), NAME);
      database.exec('COMMIT');
    }
  }
  database.close();
  return count / ((performance.now() - began) / 1000);
}

try {
  await main();
} finally {
  for (const server of servers) server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
