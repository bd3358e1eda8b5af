// The counts of taken addresses, whatever happens to records and reservations: after random changes by every kind of write
// they are what a plain count says, and generated names get the addresses that a plain search finds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Family, formatAddress, parseAddress, parseCidr } from '../../shared/ground/addresses/address.ts';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import type { Database, Transaction } from '../../shared/ground/store/database.ts';
import { MIGRATIONS } from '../../shared/ground/store/migrations/index.ts';
import { DATABASE_FILE, migrate, openStore } from '../../shared/ground/store/open-store.ts';
import { createRecords, deleteRecord, updateRecord } from '../../shared/services/dns-dhcp/dns/record-store.ts';
import { headOf } from '../../shared/vcf/names/block-texts.ts';
import { allocateFrom } from '../../shared/vcf/names/load-blocks.ts';

const NOW = '2026-03-02T09:41:07.512Z';
const shell = { clock: systemClock, entropy: systemEntropy };
const data = mkdtempSync(join(tmpdir(), 'groundcrew-blocks-'));
const store = await openStore(data);
afterAll(async () => {
  await store.close();
  rmSync(data, { recursive: true, force: true });
});

/** Where eight blocks begin: at texts that change their length or their form on the way, too. */
const PLACES = [
  '10.0.0.0/16',
  '10.9.252.0/15',
  'fd00:20::/64',
  'fd00:20::c00/64',
  'fd00:20::fc00/64',
  'fd00:0:0:1:1:ffff:ffff:fc00/48',
  '2001:db8:1:2:3:4:5:fc00/64',
];
const BLOCKS = 8;
const SPAN = BLOCKS * 256;

interface Place {
  family: Family;
  first: bigint;
  prefix: number;
}
const at = ({ family, first }: Place, offset: number): string => formatAddress(family, first + BigInt(offset));

const INSERT = `INSERT INTO dns_record (id, fqdn, type, value, enabled, zone_id, created_at, updated_at)
  SELECT 'rec_' || value, 'h' || value || '.lab.test', ?2, ?3 ->> ('$[' || key || ']'), value % 2, 'zone_lab', '${NOW}', '${NOW}'
  FROM json_each(?1)`;
let made = 0;
const insert = (tx: Transaction, type: string, values: readonly string[]) =>
  tx.run(INSERT, [JSON.stringify(values.map(() => ++made)), type, JSON.stringify(values)]);

/** The same address as somebody else may write it. */
function spelled(text: string, how: number): string {
  if (!text.includes(':') || how === 0) return text;
  if (how === 1) return text.toUpperCase();
  const hex = parseAddress(text)!.value.toString(16).padStart(32, '0');
  return hex.match(/.{4}/g)!.join(':');
}

const type = ({ family }: Place): string => (family === 4 ? 'A' : 'AAAA');
/** Changes of an empty table are none. */
const pick = async (tx: Database, table: string, nth: number): Promise<string | undefined> =>
  (
    await tx.one<{ id: string }>(
      `SELECT id FROM ${table} ORDER BY id LIMIT 1 OFFSET ? % max(1, (SELECT count(*) FROM ${table}))`,
      [nth],
    )
  )?.id;

/** What happens to an address, the `n` is any number. */
const CHANGES: Record<string, (tx: Transaction, place: Place, offset: number, n: number) => Promise<unknown>> = {
  create: (tx, place, offset, n) =>
    createRecords(tx, shell, [
      { fqdn: `c${++made}.lab.test`, type: type(place), value: spelled(at(place, offset), n % 3), enabled: n % 2 > 0 },
    ]),
  update: async (tx, place, offset, n) => {
    const id = await pick(tx, `dns_record WHERE type = '${type(place)}'`, n);
    return id && updateRecord(tx, shell, id, { value: spelled(at(place, offset), n % 3), enabled: n % 2 > 0 }, null);
  },
  delete: async (tx, _place, _offset, n) => {
    const id = await pick(tx, 'dns_record', n);
    return id && deleteRecord(tx, id, null);
  },
  fill: (tx, place, offset) => {
    const block = offset - (offset % 256);
    return insert(
      tx,
      type(place),
      Array.from({ length: 256 }, (_, more) => at(place, block + more)),
    );
  },
  text: (tx, place, offset) => insert(tx, 'TXT', [at(place, offset)]),
  retype: (tx, place, offset) =>
    tx.run("UPDATE dns_record SET type = iif(type = 'TXT', ?1, 'TXT') WHERE value = ?2", [
      type(place),
      at(place, offset),
    ]),
  'delete many': (tx, _place, _offset, n) => tx.run('DELETE FROM dns_record WHERE rowid % 5 = ?', [n % 5]),
  'delete one address': (tx, place, offset) => tx.run('DELETE FROM dns_record WHERE value = ?', [at(place, offset)]),
  'move many': (tx, place, offset, n) =>
    tx.run(
      `UPDATE dns_record SET value = change.value ->> 1, revision = revision + 1 FROM json_each(?) AS change
       WHERE dns_record.value = change.value ->> 0 AND dns_record.type = '${type(place)}'`,
      [
        JSON.stringify(
          Array.from({ length: 40 }, (_, more) => [at(place, offset + more), at(place, (offset + more + n) % SPAN)]),
        ),
      ],
    ),
  reserve: (tx, place, offset) =>
    tx.run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
       VALUES (?1, ?1, ?1, ?2, ?3, '${NOW}', '${NOW}') ON CONFLICT DO NOTHING`,
      [`res_${++made}`, place.family === 4 ? 'ipv4' : 'ipv6', at(place, offset)],
    ),
  'move a reservation': async (tx, place, offset, n) => {
    const id = (await pick(tx, 'dhcp_reservation', n)) ?? '';
    return tx.run('UPDATE OR IGNORE dhcp_reservation SET ip_address = ? WHERE id = ?', [at(place, offset), id]);
  },
  release: async (tx, _place, _offset, n) =>
    tx.run('DELETE FROM dhcp_reservation WHERE id = ?', [(await pick(tx, 'dhcp_reservation', n)) ?? '']),
};

const TAKEN = `SELECT value FROM dns_record WHERE type IN ('A', 'AAAA')
  UNION SELECT ip_address FROM dhcp_reservation WHERE address_family = 'ipv4'`;

async function plainCount(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { value: text } of await store.all<{ value: string }>(TAKEN)) {
    const { family, value } = parseAddress(text)!;
    const head = headOf(family, value & ~0xffn);
    // Only an address that ends in a group of zero may begin otherwise than its block.
    const block = text.startsWith(head) || !text.endsWith('::') ? head : text;
    counts[block] = (counts[block] ?? 0) + 1;
  }
  return counts;
}

async function plainSearch({ family, first, prefix }: Place, offset: number, wanted: number): Promise<string[]> {
  const taken = new Set((await store.all<{ value: string }>(TAKEN)).map(({ value }) => value));
  const start = parseCidr(`${formatAddress(family, first + BigInt(offset))}/${prefix}`)!;
  const found: string[] = [];
  for (let value = start.address.value; value <= start.last && found.length < wanted; value += 1n) {
    const nobody = value === start.first || (family === 4 && value === start.last);
    if (!nobody && !taken.has(formatAddress(family, value))) found.push(formatAddress(family, value));
  }
  return found;
}

async function counted(): Promise<Record<string, number>> {
  const rows = await store.all<{ block: string; taken: number }>('SELECT block, taken FROM address_block');
  return Object.fromEntries(rows.map(({ block, taken }) => [block, taken]));
}

// Half of them IPv4, where reservations count; and some addresses come again and again.
const place = fc.oneof(fc.constantFrom(...PLACES), fc.constantFrom(...PLACES.slice(0, 2))).map((text): Place => {
  const { family, address, prefix } = parseCidr(text)!;
  return { family, first: address.value, prefix };
});
const offset = fc.oneof(fc.nat(SPAN - 1), fc.constantFrom(0, 3, 255, 256, 1030));
const change = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), offset, fc.nat(1000));

test('random changes: counts and searches are the plain ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.array(fc.boolean(), { minLength: BLOCKS, maxLength: BLOCKS }),
      fc.array(change, { minLength: 1, maxLength: 25 }),
      fc.array(fc.tuple(offset, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 4 }),
      async (where, filled, changes, searches) => {
        await store.write(async (tx) => {
          for (const table of ['dns_record', 'dhcp_reservation', 'dns_zone']) await tx.run(`DELETE FROM ${table}`);
          await tx.run(
            `INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_lab', 'lab.test', '${NOW}', '${NOW}')`,
          );
        });
        expect(await counted()).toEqual({});
        await store.write(async (tx) => {
          for (const [block, full] of filled.entries()) if (full) await CHANGES.fill!(tx, where, block * 256, 0);
          for (const [what, to, n] of changes) await CHANGES[what]!(tx, where, to, n);
        });
        expect(await counted()).toEqual(await plainCount());
        for (const [from, wanted] of [[0, 17] as const, ...searches]) {
          const start = parseCidr(`${at(where, from)}/${where.prefix}`)!;
          const { allocation } = await allocateFrom(store, start, wanted);
          expect(allocation.given.map(({ address }) => address)).toEqual(await plainSearch(where, from, wanted));
        }
      },
    ),
    { numRuns: 40 },
  );
}, 300_000);

test('a database of an older release gets the counts that the writes of this one make', async () => {
  await store.write(async (tx) => {
    for (const text of PLACES) {
      const { family, address, prefix } = parseCidr(text)!;
      const where = { family, first: address.value, prefix };
      for (const what of ['fill', 'fill', 'create', 'reserve', 'reserve', 'text'])
        await CHANGES[what]!(tx, where, (++made * 97) % SPAN, made);
    }
  });
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-blocks-'));
  const file = join(folder, DATABASE_FILE);
  await migrate(
    file,
    MIGRATIONS.findIndex(({ name }) => name === '0006-address-blocks'),
  );
  const older = new DatabaseSync(file);
  older.exec(`ATTACH '${store.file}' AS newer`);
  for (const table of ['dns_zone', 'dns_record', 'dhcp_reservation'])
    older.exec(`INSERT INTO main.${table} SELECT * FROM newer.${table}`);
  older.close();
  await migrate(file);
  const migrated = new DatabaseSync(file, { readOnly: true });
  const READ = 'SELECT type, block, taken FROM address_block ORDER BY type, block';
  expect(
    migrated
      .prepare(READ)
      .all()
      .map((row) => ({ ...row })),
  ).toEqual(await store.all(READ));
  migrated.close();
  rmSync(folder, { recursive: true });
});
