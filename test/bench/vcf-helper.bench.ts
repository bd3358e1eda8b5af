// Generated names beside many others: preview and confirmed creation of 17 names over HTTP on the built appliance, with
// 100 records and with 100,000 records and 10,000 reservations. The worst cases are looked at too: a /16 in which only the
// last addresses are free, and an IPv6 /64 with 35,000 addresses in a row before the first free one. Rounds of all of
// them are interleaved; what counts is the median against that with 100 records.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { formatAddress } from '../../shared/ground/addresses/address.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { createToken } from '../../shared/kernel/access/token.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 31;
const WARM_UP = 10;
const BAR = 3;
const API = '/api/v1/vcf-helper/generated-fqdns';
const NOW = '2026-01-01T00:00:00.000Z';

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const servers: ChildProcess[] = [];

interface Server {
  origin: string;
  token: string;
}

/** Records by first address and count, and reservations. */
interface Filling {
  records: readonly (readonly [family: 4 | 6, first: bigint, count: number])[];
  reservations: number;
}

const v4 = (a: number, b: number, c: number, d: number) => BigInt(((a * 256 + b) * 256 + c) * 256 + d);
const DENSE_64 = 0xfd00_0020_0000_0000_0000_0000_0000_0001n;

const FEW: Filling = { records: [[4, v4(10, 10, 20, 40), 100]], reservations: 0 };
const MANY: Filling = {
  records: [
    [4, v4(10, 10, 20, 40), 100],
    // All but the last 34 addresses of 10.40.0.0/16.
    [4, v4(10, 40, 0, 1), 65_500],
    [6, DENSE_64, 34_400],
  ],
  reservations: 10_000,
};

/** A data folder with an admin, a token and the rows. */
async function prepare(name: string, filling: Filling): Promise<{ data: string; token: string }> {
  const data = join(folder, name);
  const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
  await firstStart(services, 'correct horse battery', () => undefined);
  const [admin] = await services.store.all<{ id: string }>('SELECT id FROM user');
  const owner = { user_id: admin!.id, name: 'admin', scopes: scopesOfRole('admin') };
  const { secret } = await services.store.write((tx) =>
    createToken(tx, services, owner, { name: 'bench', scopes: ['write:dns'], lifetime: 86_400 }),
  );
  await services.store.close();
  fill(join(data, 'groundcrew.sqlite'), filling);
  return { data, token: secret };
}

function fill(file: string, { records, reservations }: Filling): void {
  const database = new DatabaseSync(file);
  database.exec(`BEGIN; INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES
    ('zone_a', 'lab.example', '${NOW}', '${NOW}'), ('zone_b', 'cloud.example', '${NOW}', '${NOW}')`);
  const record = database.prepare(`INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
    VALUES (?, ?, ?, ?, 'zone_a', '${NOW}', '${NOW}')`);
  let last = 0;
  for (const [family, first, count] of records) {
    for (let at = 0; at < count; at++, last++) {
      const address = formatAddress(family, first + BigInt(at));
      record.run(`rec_${last}`, `host${last}.lab.example`, family === 4 ? 'A' : 'AAAA', address);
    }
  }
  const reservation =
    database.prepare(`INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address,
    created_at, updated_at) VALUES (?, ?, ?, 'ipv4', ?, '${NOW}', '${NOW}')`);
  for (let at = 0; at < reservations; at++)
    reservation.run(`res_${at}`, `esx${at}`, `mac${at}`, formatAddress(4, v4(10, 50, 0, 1) + BigInt(at)));
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

async function start(name: string, port: number, filling: Filling): Promise<Server> {
  const { data, token } = await prepare(name, filling);
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GROUNDCREW_DATA: data, GROUNDCREW_LISTEN: `127.0.0.1:${port}` },
  });
  servers.push(child);
  const origin = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < 15_000; waited += 20) {
    if (await fetch(origin).catch(() => null)) return { origin, token };
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`${name} did not start`);
}

interface Case {
  name: string;
  server: Server;
  start: Record<string, string>;
  /** First address that it gives. */
  first: string;
  preview: number[];
  create: number[];
}

async function timed(server: Server, method: string, path: string, body?: object): Promise<[number, unknown]> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const began = performance.now();
  const answer = await fetch(server.origin + path, sent);
  const heard: unknown = await answer.json();
  const took = performance.now() - began;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(heard)}`);
  return [took, heard];
}

/** One preview, one confirmed creation, and the deletion that makes room for the next round. */
async function round(each: Case, keep: boolean): Promise<void> {
  const names = { catalog: 'vcf-9.1', prefix: 'm01-', domain: 'cloud.example' };
  const [looked, heard] = await timed(
    each.server,
    'GET',
    `${API}/preview?${new URLSearchParams({ ...names, ...each.start })}`,
  );
  const { digest, rows } = heard as { digest: string; rows: { addresses: { address: string }[] }[] };
  const [created, result] = await timed(each.server, 'POST', API, { ...names, ...each.start, digest });
  const first = (result as { created: { addresses: { address: string }[] }[] }).created[0]?.addresses[0]?.address;
  if (first !== each.first || rows[0]?.addresses[0]?.address !== each.first)
    throw new Error(`${each.name}: gave ${first}, not ${each.first}`);
  await timed(each.server, 'POST', `${API}/delete`, names);
  if (!keep) return;
  each.preview.push(looked);
  each.create.push(created);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function main(): Promise<void> {
  const few = await start('few', 18_431, FEW);
  const many = await start('many', 18_432, MANY);
  const IPV4 = { start: { start_ipv4_cidr: '10.10.20.20/24' }, first: '10.10.20.20', preview: [], create: [] };
  const cases: Case[] = [
    { name: '100 records', server: few, ...IPV4 },
    { name: '100,000 records, 10,000 reservations', server: many, ...IPV4, preview: [], create: [] },
    {
      name: 'of them 65,500 in the /16 before',
      server: many,
      start: { start_ipv4_cidr: '10.40.0.1/16' },
      first: '10.40.255.221',
      preview: [],
      create: [],
    },
    {
      name: 'of them 34,400 in the /64 before',
      server: many,
      start: { start_ipv6_cidr: 'fd00:20::1/64' },
      first: formatAddress(6, DENSE_64 + 34_400n),
      preview: [],
      create: [],
    },
  ];
  for (let at = 0; at < WARM_UP + ROUNDS; at++) for (const each of cases) await round(each, at >= WARM_UP);
  const [base] = cases;
  for (const what of ['preview', 'create'] as const) {
    console.log(`${what} of 17 names over HTTP, median of ${ROUNDS}`);
    for (const each of cases) {
      const [took, ratio] = [median(each[what]), median(each[what]) / median(base![what])];
      const verdict =
        each === base ? '' : `  ratio ${ratio.toFixed(2)}, bar ${BAR}: ${ratio <= BAR ? 'met' : 'MISSED'}`;
      console.log(`  ${each.name.padEnd(40)} ${took.toFixed(1).padStart(6)} ms${verdict}`);
    }
  }
}

try {
  await main();
} finally {
  for (const server of servers) server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
