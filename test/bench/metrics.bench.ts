// A scrape of the built appliance beside a short list of the API, with little in the database and with 100,000 records, 200
// scopes and 20,000 jobs: what it costs, and how much comes.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { createToken } from '../../shared/kernel/access/token.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 101;
const WARM_UP = 20;
const PORT = 18_431;
const BARS = { milliseconds: 20, bytes: 64 * 1024 };
const NOW = '2026-01-01T00:00:00.000Z';

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));

interface Server {
  name: string;
  child: ChildProcess;
  origin: string;
  token: string;
  scrape: number[];
  read: number[];
  bytes: number;
}

async function prepare(data: string): Promise<string> {
  const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
  await firstStart(services, 'correct horse battery', () => undefined);
  const [admin] = await services.store.all<{ id: string }>('SELECT id FROM user');
  const owner = { user_id: admin!.id, name: 'admin', scopes: scopesOfRole('admin') };
  const { secret } = await services.store.write((tx) =>
    createToken(tx, services, owner, { name: 'bench', scopes: ['read:metrics', 'read:dns'], lifetime: 86_400 }),
  );
  await services.store.close();
  return secret;
}

function fill(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    `BEGIN; INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', '${NOW}', '${NOW}')`,
  );
  const record = database.prepare(`INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
    VALUES (?, ?, 'TXT', 'x', 'zone_a', '${NOW}', '${NOW}')`);
  for (let at = 0; at < 100_000; at++) record.run(`rec_${at}`, `host${at}.lab.example`);
  const scope =
    database.prepare(`INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway,
    dns_servers, ntp_servers, lease_time, domain, boot_listener, created_at, updated_at)
    VALUES (?, ?, 'ipv4', 'ens1', ?, ?, '', '[]', '[]', 3600, '', '', '${NOW}', '${NOW}')`);
  for (let at = 0; at < 200; at++)
    scope.run(
      `scope_${at}`,
      `Scope ${at}`,
      `10.${at}.0.0/16`,
      JSON.stringify([{ start: `10.${at}.1.1`, end: `10.${at}.2.1` }]),
    );
  const job = database.prepare(`INSERT INTO job (id, kind, state, input, created_by, created_at, finished_at)
    VALUES (?, ?, 'succeeded', '{}', 'admin', '${NOW}', '${NOW}')`);
  for (let at = 0; at < 20_000; at++) job.run(`job_${at}`, ['apply', 'archive', 'scim.push'][at % 3]!);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

async function start(name: string, port: number, filled: boolean): Promise<Server> {
  const data = join(folder, name);
  const token = await prepare(data);
  if (filled) fill(join(data, 'groundcrew.sqlite'));
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GROUNDCREW_DATA: data, GROUNDCREW_LISTEN: `127.0.0.1:${port}` },
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let waited = 0; ; waited += 20) {
    if (await fetch(origin).catch(() => null)) return { name, child, origin, token, scrape: [], read: [], bytes: 0 };
    if (waited > 30_000) throw new Error(`${name} did not start`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function timed({ origin, token }: Server, path: string): Promise<[milliseconds: number, bytes: number]> {
  const began = performance.now();
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  const { length } = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return [performance.now() - began, length];
}

const servers = [await start('little', PORT, false), await start('much', PORT + 1, true)];
try {
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const server of servers) {
      const [scraped, bytes] = await timed(server, '/metrics');
      const [read] = await timed(server, '/api/v1/dns/zones?limit=1');
      server.bytes = bytes;
      if (round < WARM_UP) continue;
      server.scrape.push(scraped);
      server.read.push(read);
    }
  }
  for (const { name, scrape, read, bytes } of servers) {
    const met = median(scrape) <= BARS.milliseconds && bytes <= BARS.bytes;
    console.log(
      `${name.padEnd(7)} a scrape ${median(scrape).toFixed(1)} ms, ${(median(scrape) / median(read)).toFixed(1)} x a short list (${median(read).toFixed(1)} ms), ${(bytes / 1024).toFixed(1)} kB: ${met ? 'met' : 'MISSED'}`,
    );
    if (!met) process.exitCode = 1;
  }
} finally {
  for (const { child } of servers) child.kill('SIGTERM');
  await Promise.all(servers.map(({ child }) => new Promise((done) => child.once('exit', done))));
  rmSync(folder, { recursive: true, force: true });
}
