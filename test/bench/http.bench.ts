// Authenticated GET and PATCH of one interface: the built appliance against a bare node:http server that runs the same
// statements through the same driver, and against Fastify with knex; beside them SQLite in process, the physical limit.
// Interleaved rounds in one run; what counts are the medians of the per-round ratios.
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

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 6;
const SECONDS = 2;
const CONNECTIONS = 16;
const BAR = 0.6;
const NAME = 'bench0';
const PATH = `/api/v1/interfaces/physical/${NAME}`;
/** The server on one core, the load on the other, when there are two. */
const PIN = availableParallelism() > 1;

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const servers: ChildProcess[] = [];

async function main(): Promise<void> {
  await statements();
  const token = await prepare();
  const ports = { appliance: 18_411, bare: 18_412, fastify: 18_413 };
  for (const which of ['bare', 'fastify']) copyDatabase(which);
  const environment = {
    GROUNDCREW_DATA: join(folder, 'appliance'),
    GROUNDCREW_LISTEN: `127.0.0.1:${ports.appliance}`,
    GROUNDCREW_LOG_LEVEL: 'info',
  };
  await start(['dist/main.js'], ports.appliance, environment);
  for (const which of ['bare', 'fastify'] as const) {
    const data = join(folder, which);
    await start(
      [
        'test/bench/http-servers.ts',
        which,
        join(data, 'groundcrew.sqlite'),
        join(data, 'groundcrew.keys'),
        String(ports[which]),
      ],
      ports[which],
    );
  }
  for (const method of ['GET', 'PATCH'] as const) {
    for (const which of ['appliance', 'bare', 'fastify'] as const) await sameAnswer(method, ports[which], token);
    const rounds: Record<keyof typeof ports | 'sqlite', number>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measured = { appliance: 0, bare: 0, fastify: 0, sqlite: 0 };
      const order =
        round % 2 === 0 ? (['appliance', 'bare', 'fastify'] as const) : (['fastify', 'bare', 'appliance'] as const);
      for (const which of order) measured[which] = load(method, ports[which], token);
      measured.sqlite = inProcess(method);
      rounds.push(measured);
    }
    report(method, rounds);
  }
}

function report(method: string, rounds: { appliance: number; bare: number; fastify: number; sqlite: number }[]): void {
  const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const each = (key: keyof (typeof rounds)[0]) => rounds.map((round) => round[key]);
  const ratio = rounds.map((round) => round.appliance / round.bare);
  const toFastify = rounds.map((round) => round.appliance / round.fastify);
  const line = (name: string, key: keyof (typeof rounds)[0]) =>
    `  ${name.padEnd(26)} ${Math.round(median(each(key)))
      .toString()
      .padStart(7)}/s`;
  console.log(`${method} one interface, ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections`);
  console.log(line('groundcrew', 'appliance'));
  console.log(line('bare node:http + the same driver', 'bare'));
  console.log(line('fastify + knex', 'fastify'));
  console.log(line('SQLite in process', 'sqlite'));
  const spread = `${Math.min(...ratio).toFixed(2)}–${Math.max(...ratio).toFixed(2)}`;
  console.log(
    `  to bare ${median(ratio).toFixed(2)} (${spread}), bar ${BAR}: ${median(ratio) >= BAR ? 'met' : 'MISSED'}; to fastify ${median(toFastify).toFixed(2)}`,
  );
}

/** Statements of each request, BEGIN and COMMIT among them; they do not depend on the machine. */
async function statements(): Promise<void> {
  const program = await bundleProgram('test/bench/statements-program.ts');
  const { GET, PATCH } = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' })) as Record<
    string,
    number
  >;
  rmSync(join(program, '..'), { recursive: true });
  console.log(`statements: GET ${GET} (bar 2), PATCH ${PATCH} with BEGIN and COMMIT (bar 6)`);
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
  const command = PIN ? ['taskset', '-c', '0', process.execPath, ...args] : [process.execPath, ...args];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
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

/** Requests per second as wrk counts them; any answer but 2xx fails the run. */
function load(method: string, port: number, token: string): number {
  const script = join(folder, `${method}.lua`);
  writeFileSync(
    script,
    `wrk.headers["authorization"] = "Bearer ${token}"\nwrk.headers["content-type"] = "application/json"\nlocal n = 0\n` +
      `request = function()\n n = n + 1\n return wrk.format("${method}", nil, nil, ${method === 'PATCH' ? "'{\"mtu\":' .. (1400 + n % 100) .. '}'" : 'nil'})\nend\n`,
  );
  const args = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', script, `http://127.0.0.1:${port}${PATH}`];
  const command = PIN ? ['taskset', '-c', '1', ...args] : args;
  const output = execFileSync(command[0]!, command.slice(1), { encoding: 'utf8' });
  if (/Non-2xx/.test(output)) throw new Error(`port ${port}: ${output}`);
  return Number(/Requests\/sec:\s+([0-9.]+)/.exec(output)?.[1]);
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
