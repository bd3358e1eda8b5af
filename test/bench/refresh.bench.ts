// One interface edit that renumbers a DHCP scope with 10, 1,000 and 10,000 reservations and their DNS records: time per
// dependant, the same rows written by one bare SQLite transaction into a copy of the same database, and statements.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { updatePhysical } from '../../shared/appliance/edits/edits.ts';
import { type Clock, type Entropy, instant, systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE, openStore } from '../../shared/ground/store/open-store.ts';
import type { Store } from '../../shared/ground/store/store.ts';
import { loadInterfaces } from '../../shared/platform/interfaces/interface.ts';

const SIZES = [10, 1_000, 10_000];
const ROUNDS = 9;
/** Time per dependant at the largest size against the middle one, and an edit against the bare transaction. */
const LINEAR_BAR = 1.5;
const PEER_BAR = 4;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const networkOf = (round: number) => `10.${60 + (round % 2)}`;
const addressAt = (network: string, index: number) => `${network}.${4 + Math.floor(index / 250)}.${1 + (index % 250)}`;

interface Shell {
  store: Store;
  clock: Clock;
  entropy: Entropy;
}

interface Figures {
  edit: number;
  bare: number;
  statements: string[];
}

async function measure(size: number): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
  const counted: string[] = [];
  const store = await openStore(data, (sql) => void counted.push(sql));
  const services: Shell = { store, clock: systemClock, entropy: systemEntropy };
  try {
    await seed(services, size);
    const copy = join(data, 'copy.sqlite');
    copyWhole(join(data, DATABASE_FILE), copy);
    const peer = new DatabaseSync(copy);
    peer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const edits: number[] = [];
    const bares: number[] = [];
    let statements: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      bares.push(bare(peer, size, networkOf(round)));
      counted.length = 0;
      const started = performance.now();
      const { impact } = await services.store.write((tx) =>
        updatePhysical(tx, services, 'lab0', { ipv4_cidr: `${networkOf(round)}.0.1/16` }, null),
      );
      edits.push(performance.now() - started);
      statements = [...counted];
      if (impact.moves_total < size * 2) throw new Error(`only ${impact.moves_total} values moved`);
    }
    peer.close();
    await judge(services, size);
    return { edit: median(edits), bare: median(bares), statements };
  } finally {
    await services.store.close();
    rmSync(data, { recursive: true, force: true });
  }
}

function copyWhole(from: string, to: string): void {
  const source = new DatabaseSync(from);
  source.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  source.close();
  copyFileSync(from, to);
}

/** The edit's rows, in the least that SQLite needs: prepared updates by key in one transaction. */
function bare(peer: DatabaseSync, size: number, network: string): number {
  const now = new Date(0).toISOString();
  const reservation = peer.prepare(
    'UPDATE dhcp_reservation SET ip_address = ?, revision = revision + 1, updated_at = ? WHERE id = ?',
  );
  const record = peer.prepare('UPDATE dns_record SET value = ?, revision = revision + 1, updated_at = ? WHERE id = ?');
  const started = performance.now();
  peer.exec('BEGIN IMMEDIATE');
  peer
    .prepare("UPDATE interface SET ipv4_cidr = ?, revision = revision + 1 WHERE name = 'lab0'")
    .run(`${network}.0.1/16`);
  peer
    .prepare("UPDATE dhcp_scope SET subnet_cidr = ?, gateway = ?, revision = revision + 1 WHERE id = 'scope_a'")
    .run(`${network}.0.0/16`, `${network}.0.1`);
  for (let index = 0; index < size; index++) {
    const address = addressAt(network, index);
    reservation.run(address, now, `res_${index}`);
    record.run(address, now, `rec_${index}`);
  }
  peer.exec('COMMIT');
  return performance.now() - started;
}

async function seed({ store, clock }: Shell, size: number): Promise<void> {
  const now = instant(clock.now());
  const network = networkOf(0);
  const all = Array.from({ length: size }, (_, index) => ({
    res: `res_${index}`,
    rec: `rec_${index}`,
    name: `host${index}`,
    mac: `02:00:00:${[index >> 16, (index >> 8) & 255, index & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`,
    ip: addressAt(network, index),
  }));
  await store.write(async (tx) => {
    await tx.run(
      `INSERT INTO interface (name, id, kind, role, enabled, ipv4_cidr, updated_at)
       VALUES ('mgmt0', 'mgmt0', 'physical', 'management', 1, '10.77.0.1/24', ?1), ('lab0', 'lab0', 'physical', 'access', 1, ?2, ?1)`,
      [now, `${network}.0.1/16`],
    );
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', ?1, ?1)", [
      now,
    ]);
    await tx.run(
      `INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers, ntp_servers,
         lease_time, domain, created_at, updated_at)
       VALUES ('scope_a', 'lab', 'ipv4', 'lab0', ?1, '[]', ?2, '[]', '[]', 43200, 'lab.example', ?3, ?3)`,
      [`${network}.0.0/16`, `${network}.0.1`, now],
    );
    await tx.run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, register_dns, created_at, updated_at)
       SELECT value ->> 'res', value ->> 'name', value ->> 'mac', 'ipv4', value ->> 'ip', 1, ?1, ?1 FROM json_each(?2)`,
      [now, JSON.stringify(all)],
    );
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, owner_source, owner_ref, zone_id, created_at, updated_at)
       SELECT value ->> 'rec', (value ->> 'name') || '.lab.example', 'A', value ->> 'ip', 'dhcp_reservation', value ->> 'res',
         'zone_a', ?1, ?1 FROM json_each(?2)`,
      [now, JSON.stringify(all)],
    );
  });
}

/** What was measured really happened. */
async function judge({ store }: Shell, size: number): Promise<void> {
  const network = networkOf(ROUNDS);
  const [lab] = (await loadInterfaces(store)).filter(({ name }) => name === 'lab0');
  const { moved } = (await store.one<{ moved: number }>(
    `SELECT count(*) AS moved FROM dhcp_reservation JOIN dns_record ON dns_record.owner_ref = dhcp_reservation.id
     WHERE ip_address = value AND ip_address LIKE ? || '.%'`,
    [network],
  ))!;
  if (moved !== size || lab?.ipv4_cidr !== `${network}.0.1/16`) throw new Error(`${moved} of ${size} moved`);
}

const verdict = (value: number, bar: number) => `${value.toFixed(2)}, bar ${bar}: ${value <= bar ? 'met' : 'MISSED'}`;

const figures = new Map<number, Figures>();
for (const size of SIZES) {
  const found = await measure(size);
  figures.set(size, found);
  console.log(
    `${size} reservations with records: edit ${found.edit.toFixed(1)} ms, bare transaction ${found.bare.toFixed(1)} ms; ${found.statements.length} statements`,
  );
}
const [, middle, large] = SIZES.map((size) => figures.get(size)!);
console.log(`time per dependant, 10,000 to 1,000: ${verdict(large!.edit / 10 / middle!.edit, LINEAR_BAR)}`);
console.log(`edit to bare transaction at 10,000:  ${verdict(large!.edit / large!.bare, PEER_BAR)}`);
const counts = [...figures.values()].map(({ statements }) => statements.length);
console.log(`statements: ${counts.join(', ')}; ${new Set(counts).size === 1 ? 'the same at every size' : 'THEY GROW'}`);
