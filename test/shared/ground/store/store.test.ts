// The store: transactions that are whole or nothing, one writer at a time, readers that don't wait, migrations, and a
// start that refuses what it can't read.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { KEYS_FILE, openKeys } from '../../../../shared/ground/sealing/keys.ts';
import { build } from '../../../../shared/ground/store/builder.ts';
import { MIGRATIONS } from '../../../../shared/ground/store/migrations/index.ts';
import {
  DATABASE_FILE,
  migrate,
  openStore,
  SCHEMA_VERSION,
  StartFault,
} from '../../../../shared/ground/store/open-store.ts';
import { Store } from '../../../../shared/ground/store/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ZONE = 'INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)';

describe('a transaction', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore(folder);
  });
  afterEach(() => store.close());
  const zones = async () =>
    (await store.all<{ name: string }>('SELECT name FROM dns_zone ORDER BY name')).map((row) => row.name);

  test('is kept whole', async () => {
    await store.write(async (tx) => {
      await tx.run(ZONE, ['a', 'a.example', '', '']);
      await tx.run(ZONE, ['b', 'b.example', '', '']);
    });
    expect(await zones()).toEqual(['a.example', 'b.example']);
  });

  test('leaves nothing when it throws, and the next one works', async () => {
    const failing = store.write(async (tx) => {
      await tx.run(ZONE, ['a', 'a.example', '', '']);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.write((tx) => tx.run(ZONE, ['b', 'b.example', '', '']));
    expect(await zones()).toEqual(['b.example']);
  });

  test('that is rolled back on purpose still answers', async () => {
    const answer = await store.write(async (tx) => (await tx.run(ZONE, ['a', 'a.example', '', ''])) + 41, {
      rollBack: true,
    });
    expect(answer).toBe(42);
    expect(await zones()).toEqual([]);
  });

  test('that breaks a unique key is a conflict', async () => {
    await store.write((tx) => tx.run(ZONE, ['a', 'a.example', '', '']));
    await expect(store.write((tx) => tx.run(ZONE, ['b', 'a.example', '', '']))).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  test('reads what it decides on: 100 increments from two stores lose none', async () => {
    await store.write((tx) => tx.run(ZONE, ['a', 'a.example', '', '']));
    const other = await Store.open(store.file);
    const increment = (in_: Store) =>
      in_.write(async (tx) => {
        const row = await tx.one<{ revision: number }>('SELECT revision FROM dns_zone WHERE id = ?', ['a']);
        await tx.run('UPDATE dns_zone SET revision = ? WHERE id = ?', [row!.revision + 1, 'a']);
      });
    await Promise.all(Array.from({ length: 100 }, (_, n) => increment(n % 2 === 0 ? store : other)));
    const [row] = await store.all<{ revision: number }>('SELECT revision FROM dns_zone');
    expect(row?.revision).toBe(101);
    await other.close();
  });

  test('does not keep readers waiting, and they can not write', async () => {
    const held = Promise.withResolvers<void>();
    const writing = store.write(async (tx) => {
      await tx.run(ZONE, ['a', 'a.example', '', '']);
      await held.promise;
    });
    expect(await zones()).toEqual([]);
    held.resolve();
    await writing;
    await expect(store.all('DELETE FROM dns_zone')).rejects.toThrow(/readonly/);
  });

  test('takes statements that knex built', async () => {
    const insert = build('dns_zone').insert({ id: 'a', name: 'a.example', created_at: '', updated_at: '' });
    await store.write((tx) => tx.run(insert));
    expect(await store.one(build('dns_zone').select('name').where({ id: 'a' }))).toEqual({ name: 'a.example' });
  });

  test('keeps what is not there as NULL, whichever driver it runs on', async () => {
    const left = JSON.stringify(undefined);
    const read = () => store.one<{ kind: string; whole: string }>('SELECT typeof(?) AS kind, ? AS whole', [left, 20]);
    expect(await read()).toEqual({ kind: 'null', whole: 20 });
  });

  test('is durable: WAL, synchronous FULL, foreign keys', async () => {
    const pragma = async (name: string) => Object.values((await store.all(`PRAGMA ${name}`))[0]!)[0];
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    await expect(
      store.write((tx) =>
        tx.run(
          "INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at) VALUES ('r','f','A','v','none','','')",
        ),
      ),
    ).rejects.toThrow(/FOREIGN KEY/);
  });
});

test('a fault at the n-th statement, for every n, saves nothing', async () => {
  let countdown = Number.POSITIVE_INFINITY;
  const store = await openStore(folder, (sql, connection) => {
    if (connection === 'writer' && sql !== 'ROLLBACK' && --countdown === 0) throw new Error('injected');
  });
  let failed = 0;
  for (let n = 1; ; n++) {
    countdown = n;
    const outcome = await store
      .write(async (tx) => {
        await tx.run(ZONE, ['a', 'a.example', '', '']);
        await tx.run(ZONE, ['b', 'b.example', '', '']);
        await tx.run('UPDATE dns_zone SET revision = 7');
      })
      .then(
        () => 'saved',
        (error: Error) => error.message,
      );
    countdown = Number.POSITIVE_INFINITY;
    const rows = await store.all('SELECT id FROM dns_zone');
    if (outcome === 'saved') {
      expect(rows).toHaveLength(2);
      break;
    }
    failed++;
    expect({ n, outcome, rows }).toEqual({ n, outcome: 'injected', rows: [] });
  }
  // BEGIN, two inserts, the update, COMMIT.
  expect(failed).toBe(5);
  await store.close();
});

describe('migrations', () => {
  const schema = async (store: Store) => {
    const rows = await store.all<{ sql: string }>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'schema_migration%' ORDER BY type DESC, name",
    );
    return `${rows.map((row) => row.sql.replaceAll(/\s+/g, ' ')).join(';\n')};\n`;
  };

  const versions = MIGRATIONS.map((migration, index): [string, number] => [migration.name, index + 1]);
  test.each(versions)('%s ends in its fixture', async (name, version) => {
    const file = join(folder, DATABASE_FILE);
    await migrate(file, version);
    const store = await Store.open(file);
    const fixture = join(import.meta.dirname, `../../../fixtures/migrations/${name}.after.sql`);
    const after = await schema(store);
    await store.close();
    if (process.env.GOLDEN === 'write') writeFileSync(fixture, after);
    expect(after).toBe(readFileSync(fixture, 'utf8'));
  });

  test('run once: a second start changes nothing', async () => {
    const first = await openStore(folder);
    const before = await schema(first);
    await first.close();
    const second = await openStore(folder);
    expect(await schema(second)).toBe(before);
    expect((await second.all<{ user_version: number }>('PRAGMA user_version'))[0]?.user_version).toBe(
      MIGRATIONS.length,
    );
    expect(SCHEMA_VERSION).toBe(MIGRATIONS.length);
    await second.close();
  });

  test('a database newer than the program stops the start with one clear line', async () => {
    const store = await openStore(folder);
    await store.write((tx) => tx.run(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`));
    await store.close();
    const fault = await openStore(folder).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StartFault);
    expect((fault as Error).message).toMatch(
      new RegExp(`has schema ${SCHEMA_VERSION + 1}; this program knows up to ${SCHEMA_VERSION}`),
    );
    expect((fault as Error).message).not.toContain('\n');
  });
});

const rule = (enabled: number): string =>
  `INSERT INTO firewall_rule (id, name, position, action, direction, interface, source_cidr, destination_cidr, protocol,
    ports, log, enabled, created_at, updated_at)
   VALUES ('fwr_a', 'a', 10, 'accept', 'input', '', '', '', 'any', '', 0, ${enabled}, '', '')`;

describe('a change makes pending what it feeds, and nothing else:', () => {
  const SETTINGS = `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', '{"listen_interfaces":["b"]}', '')`;
  test.each([
    [
      'an address that nothing listens on',
      "UPDATE interface SET ipv4_cidr = '10.0.0.1/24' WHERE name = 'a'",
      ['network'],
    ],
    [
      'an address that DNS listens on',
      "UPDATE interface SET ipv4_cidr = '10.0.0.1/24' WHERE name = 'b'",
      ['dns-dhcp', 'network'],
    ],
    ['the MTU of that interface', "UPDATE interface SET mtu = 9000 WHERE name = 'b'", ['network']],
    ['its removal', "DELETE FROM interface WHERE name = 'b'", ['dns-dhcp', 'network']],
    ['its switch', "UPDATE interface SET enabled = 1 WHERE name = 'b'", ['dns-dhcp', 'firewall', 'network']],
    [
      'a management interface that is new',
      "INSERT INTO interface (name, id, kind, role, enabled, updated_at) VALUES ('c', 'c', 'physical', 'management', 1, '')",
      ['firewall', 'network'],
    ],
    ['what was only observed', "UPDATE interface SET observed = '{}', speed_mbps = 10 WHERE name = 'b'", []],
    [
      'a zone',
      "INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('z', 'z.example', '', '')",
      ['dns-dhcp'],
    ],
    [
      'a service that is switched on',
      `UPDATE unit_settings SET document = '{"enabled":true,"listen_interfaces":["b"]}'`,
      ['dns-dhcp', 'firewall'],
    ],
    [
      'settings that open nothing',
      `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('web-terminal', '{"enabled":false,"port":7682}', '')`,
      ['web-terminal'],
    ],
    [
      'settings of a service that answers',
      `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('kms', '{"enabled":true,"port":5697}', '')`,
      ['firewall', 'kms'],
    ],
    [
      'the firewall itself',
      `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('firewall', '{"enabled":true}', '')`,
      ['firewall'],
    ],
    ['a rule of the firewall', rule(1), ['firewall']],
    ['a rule that is not in use', rule(0), []],
    ['settings', "UPDATE unit_settings SET document = '{}'", ['dns-dhcp']],
  ])('%s', async (_name, statement, units) => {
    const store = await openStore(folder);
    await store.write(async (tx) => {
      for (const name of ['a', 'b']) {
        await tx.run("INSERT INTO interface (name, id, kind, updated_at) VALUES (?, ?, 'physical', '')", [name, name]);
      }
      await tx.run(SETTINGS);
      await tx.run('UPDATE unit_state SET applied_version = desired_version');
      await tx.run(statement);
    });
    const pending = await store.all<{ unit: string }>(
      'SELECT unit FROM unit_state WHERE desired_version <> applied_version ORDER BY unit',
    );
    expect(pending.map(({ unit }) => unit)).toEqual(units);
    await store.close();
  });
});

describe('what the firewall waits for an apply with, while the name service is open to the own networks:', () => {
  const named = (...allowed_clients: string[]) =>
    `UPDATE unit_settings SET document = '${JSON.stringify({ enabled: true, allowed_clients })}' WHERE unit = 'dns-dhcp'`;
  const address = (name: string) => `UPDATE interface SET ipv4_cidr = '10.0.0.1/24' WHERE name = '${name}'`;
  const seen = (name: string, cidr: string) =>
    `UPDATE interface SET observed = '{"ipv4_cidrs":["${cidr}"],"link":"up"}' WHERE name = '${name}'`;
  const subnet = "UPDATE dhcp_scope SET subnet_cidr = '10.9.0.0/22'";
  const dhcp = `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dhcp', '{"enabled":true}', '')`;
  test.each<[string, string[], boolean]>([
    ['the address of an interface', [address('a')], true],
    ['the same beside networks that are named', [named('10.1.0.0/16', 'localnets'), address('a')], true],
    ['not where others alone are named', [named('10.1.0.0/16'), address('a')], false],
    ['not an interface that is off', [address('off')], false],
    ['what the network gave', [seen('d', '10.4.0.9/24')], true],
    ['not what was seen beside an address of its own', [seen('a', '10.4.0.9/24')], false],
    ['the subnet of a scope that is served', [dhcp, subnet], true],
    ['not while DHCP is off', [subnet], false],
  ])('%s', async (_name, statements, waits) => {
    const store = await openStore(folder);
    await store.write(async (tx) => {
      for (const [name, enabled] of [
        ['a', 1],
        ['d', 1],
        ['off', 0],
      ] as const) {
        await tx.run(
          "INSERT INTO interface (name, id, kind, enabled, updated_at) VALUES (?1, ?1, 'physical', ?2, '')",
          [name, enabled],
        );
      }
      await tx.run("UPDATE interface SET ipv4_method = 'dhcp' WHERE name = 'd'");
      await tx.run(`INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers,
        ntp_servers, lease_time, domain, created_at, updated_at)
        VALUES ('s', 's', 'ipv4', 'a', '10.9.0.0/24', '[]', '', '[]', '[]', 60, '', '', '')`);
      await tx.run(
        "INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', '{\"enabled\":true}', '')",
      );
      for (const statement of statements.slice(0, -1)) await tx.run(statement);
      await tx.run('UPDATE unit_state SET applied_version = desired_version');
      await tx.run(statements.at(-1)!);
    });
    const state = await store.one(
      "SELECT desired_version <> applied_version AS waits FROM unit_state WHERE unit = 'firewall'",
    );
    expect(state).toEqual({ waits: Number(waits) });
    await store.close();
  });
});

describe('what the time service waits for an apply with:', () => {
  const listens = (names: string[], enabled = true) =>
    `INSERT INTO unit_settings (unit, document, updated_at)
      VALUES ('ntp', '${JSON.stringify({ enabled, listen_interfaces: names })}', '')`;
  const source = (members: string) => `UPDATE ntp_source SET ${members} WHERE id = 's'`;
  const address = (name: string) => `UPDATE interface SET ipv4_cidr = '10.0.0.1/24' WHERE name = '${name}'`;
  test.each<[string, string, string, boolean]>([
    ['an address that it listens on', listens(['a']), address('a'), true],
    ['an address that it does not listen on', listens(['a']), address('b'), false],
    ['any address, once it has to refuse networks', listens(['a', 'c']), address('b'), true],
    ['any address, once its own comes by DHCP', listens(['d']), address('b'), true],
    [
      'the switch of the trunk below its interface',
      listens(['v']),
      "UPDATE interface SET enabled = 1 WHERE name = 'b'",
      true,
    ],
    ['no interface while it is off', listens(['a', 'c'], false), address('a'), false],
    ['how a source is asked', listens([]), source('prefer = 1'), true],
    ['not what is noted on a source', listens([]), source("description = 'x'"), false],
    ['not a source that is off', listens([]), "DELETE FROM ntp_source WHERE id = 'off'", false],
    ['its settings', listens([]), "UPDATE unit_settings SET document = '{}' WHERE unit = 'ntp'", true],
  ])('%s', async (_name, settings, statement, waits) => {
    const store = await openStore(folder);
    await store.write(async (tx) => {
      for (const name of ['a', 'b', 'c', 'd']) {
        await tx.run("INSERT INTO interface (name, id, kind, updated_at) VALUES (?, ?, 'physical', '')", [name, name]);
      }
      await tx.run(
        "INSERT INTO interface (name, id, kind, parent_interface, updated_at) VALUES ('v', 'v', 'vlan', 'b', '')",
      );
      await tx.run("UPDATE interface SET ipv4_method = 'dhcp' WHERE name = 'd'");
      for (const [id, enabled] of [
        ['s', 1],
        ['off', 0],
      ] as const) {
        await tx.run(
          `INSERT INTO ntp_source (id, address, kind, nts, prefer, enabled, created_at, updated_at)
           VALUES (?, ?, 'server', 0, 0, ?, '', '')`,
          [id, id, enabled],
        );
      }
      await tx.run(settings);
      await tx.run('UPDATE unit_state SET applied_version = desired_version');
      await tx.run(statement);
    });
    const state = await store.one(
      "SELECT desired_version <> applied_version AS waits FROM unit_state WHERE unit = 'ntp'",
    );
    expect(state).toEqual({ waits: Number(waits) });
    await store.close();
  });
});

describe('the keys file', () => {
  test('is made for its owner only, and read again', async () => {
    const made = await openKeys(folder, systemEntropy, false);
    expect(statSync(join(folder, KEYS_FILE)).mode & 0o777).toBe(0o600);
    const read = await openKeys(folder, systemEntropy, true);
    expect(read.hmac('token-pepper', 'x')).toEqual(made.hmac('token-pepper', 'x'));
    expect(read.hmac('token-pepper', 'x')).not.toEqual(made.hmac('audit-chain', 'x'));
  });

  test.each([
    ['readable by others', () => chmodSync(join(folder, KEYS_FILE), 0o644), /can be read by others/],
    ['missing beside a database', () => rmSync(join(folder, KEYS_FILE)), /is missing, but the database exists/],
    ['damaged', () => writeFileSync(join(folder, KEYS_FILE), '{"root":"abc"}'), /is damaged/],
  ])('%s stops the start', async (_name, harm, message) => {
    await openKeys(folder, systemEntropy, false);
    harm();
    await expect(openKeys(folder, systemEntropy, true)).rejects.toThrow(message);
  });
});
