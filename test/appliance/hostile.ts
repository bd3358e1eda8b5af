// What somebody who owns the service's user can think of: texts that would be orders to whoever reads them, in every column
// that a file is made from, with plans that name the digest of what comes of it; databases that are none; files in the way.

import { surroundingsOf } from '../../shared/appliance/surroundings.ts';
import { findUnit } from '../../shared/appliance/units.ts';
import type { SqlValue } from '../../shared/ground/store/database.ts';
import type { Store } from '../../shared/ground/store/store.ts';
import { digestOf, sha256 } from '../../shared/platform/applied/baseline.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import type { HostileInput } from './attack.ts';

/** The script that every order names. Whoever finds the second path finds that it ran. */
export const SCRIPT = '/var/lib/groundcrew/data/order';
export const OWNED = 'groundcrew-owned';

const TEXTS = [
  `x\ndhcp-script=${SCRIPT}`,
  `${'é'.repeat(508)}dhcp-script=${SCRIPT}`,
  `${'a'.repeat(1_013)}dhcp-script=${SCRIPT}`,
  `${'é'.repeat(400)}${'a'.repeat(216)}dhcp-script=${SCRIPT}`,
  `x"\nconf-file=${SCRIPT}\n#`,
  `x,${SCRIPT}`,
  'x\\',
  `"; include "${SCRIPT}"; #`,
  'x" } } table ip y { chain z { type filter hook input priority 0; policy accept; ',
  `x\n[Service]\nExecStart=${SCRIPT}`,
  `x; ip netns exec x ${SCRIPT}`,
  'x\0y',
  'fe80::1%enp0s8',
  `$(${SCRIPT})`,
  '../../../../../etc/cron.d/x',
  `x\r\nmailonchange root 1\r\ninclude ${SCRIPT}`,
];
const OF_EACH = 2;

type Wrap = (text: string) => string;
const plain: Wrap = (text) => text;
const listed: Wrap = (text) => JSON.stringify([text]);
const ranged: Wrap = (text) => JSON.stringify([{ start: text, end: text }]);

interface Place {
  unit: UnitId;
  what: string;
  /** Takes the text as its one parameter. */
  sql: string;
  wrap: Wrap;
}

const columns = (unit: UnitId, table: string, names: string, where = '1'): Place[] =>
  names.split(' ').map((name) => {
    const key = `SELECT rowid FROM ${table} WHERE ${where} LIMIT 1`;
    const wrap = ['dns_servers', 'ntp_servers'].includes(name) ? listed : name === 'ranges' ? ranged : plain;
    return { unit, what: `${table}.${name}`, sql: `UPDATE ${table} SET ${name} = ? WHERE rowid = (${key})`, wrap };
  });
const members = (unit: UnitId, key: string, names: string, wrap: Wrap = plain): Place[] =>
  names.split(' ').map((name) => ({
    unit,
    what: `${key} ${name}`,
    sql: `UPDATE unit_settings SET document = json_set(document, '$.${name}', ${wrap === plain ? '?' : 'json(?)'}) WHERE unit = '${key}'`,
    wrap,
  }));

const PLACES: readonly Place[] = [
  ...columns('dns-dhcp', 'dhcp_scope', 'id name interface subnet_cidr ranges gateway dns_servers ntp_servers domain'),
  ...columns('dns-dhcp', 'dhcp_option', 'scope_id address_family value', 'enabled = 1'),
  ...columns('dns-dhcp', 'dhcp_reservation', 'hostname mac_address ip_address'),
  ...columns('dns-dhcp', 'dns_zone', 'name'),
  ...['A', 'CNAME', 'TXT', 'SRV', 'MX', 'CAA'].flatMap((type) =>
    columns('dns-dhcp', 'dns_record', 'fqdn value', `type = '${type}'`),
  ),
  ...columns('dns-dhcp', 'dns_record', 'type'),
  ...members('dns-dhcp', 'dns-dhcp', 'domain cache_size ttl_seconds'),
  ...members('dns-dhcp', 'dns-dhcp', 'upstream_servers listen_interfaces', listed),
  ...columns('firewall', 'firewall_rule', 'id name interface source_cidr action protocol ports', 'enabled = 1'),
  ...columns('firewall', 'storage_datastore', 'id name interface'),
  ...members('firewall', 'firewall', 'management_networks', listed),
  ...columns('ntp', 'ntp_source', 'address kind'),
  ...members('ntp', 'ntp', 'allowed_clients listen_interfaces', listed),
  ...members('ntp', 'ntp', 'local_stratum minimum_sources'),
  ...columns('network', 'interface', 'name ipv4_cidr ipv4_gateway ipv6_cidr role', "role = 'access'"),
  ...members('network-boot', 'network-boot', 'uefi_http_url http_port'),
  ...members('network-boot', 'network-boot', 'listen_interfaces', listed),
  ...columns('network-boot', 'network_boot_host', 'hostname mac_address'),
  ...members('private-cloud-services', 'private-cloud-services', 'hostname http_user'),
];

const same = (path: string): string => path;
const planId = (number: number): string => `plan_${String(number).padStart(16, '0')}`;
const lines = (plan_id: string, unit: string, verbs: readonly string[]): string[] =>
  verbs.map((verb) => JSON.stringify(verb === 'forget' ? { verb, plan_id } : { verb, plan_id, unit }));
const VERBS = ['keep', 'swap', 'activate', 'restore', 'forget'];
const PLAN = `INSERT INTO plan (id, state, digest, document, created_by, created_at)
  VALUES (?, 'submitted', 'x', ?, 'nobody', '2026-01-01T00:00:00.000Z')`;
const planOf = (unit: string, digest: unknown) => JSON.stringify({ units: [{ id: unit, digest }], unchanged: [] });

export interface Surroundings {
  management_port: number;
  public_listen: null;
}

/** Every text, in turn, at every place. `surroundings`: what the root step that is attacked is started with. */
export async function hostileInputs(store: Store, surroundings: Surroundings, every = 1): Promise<HostileInput[]> {
  const inputs: HostileInput[] = [];
  const known = new Set<string>();
  for (const [at, { unit, what, sql, wrap }] of PLACES.entries()) {
    if (at % every > 0) continue;
    for (let of = 0; of < (every === 1 ? OF_EACH : 1); of += 1) {
      const which = (at * OF_EACH + of) % TEXTS.length;
      const statement: [string, string[]] = [sql, [wrap(TEXTS[which]!)]];
      const digest = await digestAfter(store, unit, statement, surroundings);
      // What leaves the same files behind was tried already.
      if (known.has(`${unit} ${digest}`)) continue;
      if (digest !== null) known.add(`${unit} ${digest}`);
      const plan_id = planId(inputs.length + 1);
      inputs.push({
        name: `${what} text ${which + 1}`,
        statements: [statement, [PLAN, [plan_id, planOf(unit, digest ?? '0'.repeat(64))]]],
        plants: [],
        // Links that are not there are waited for, which tells nothing here; what networkd is given it reads on the way back.
        requests: lines(plan_id, unit, unit === 'network' ? VERBS.filter((verb) => verb !== 'activate') : VERBS),
      });
    }
  }
  return [...inputs, ...strangePlans(), ...strangeDatabases(), ...strangeFiles(), ...strangeLines()];
}

/** The digest of the unit's files once the statement has run; null where it can't be rendered any more. */
async function digestAfter(
  store: Store,
  id: UnitId,
  [sql, parameters]: [string, SqlValue[]],
  surroundings: Surroundings,
): Promise<string | null> {
  const unit = findUnit(id);
  try {
    return await store.write(
      async (tx) => {
        await tx.run(sql, parameters);
        const desired: unknown = await unit.load(tx, surroundingsOf(surroundings));
        return digestOf(unit.render(desired, same));
      },
      { rollBack: true },
    );
  } catch {
    return null;
  }
}

const input = (name: string, rest: Partial<HostileInput> & { plan?: string } = {}): HostileInput => {
  const { plan = planOf('ntp', '0'.repeat(64)), statements = [], plants = [], requests } = rest;
  const plan_id = 'plan_strangestrangest';
  return {
    name,
    statements: [[PLAN, [plan_id, plan]], ...statements],
    plants,
    requests: requests ?? lines(plan_id, 'ntp', VERBS),
  };
};

function strangePlans(): HostileInput[] {
  const documents: Record<string, string> = {
    'no JSON': '{',
    'a number': '7',
    'units that are a text': JSON.stringify({ units: 'ntp' }),
    'units of nothing': JSON.stringify({ units: [null, 7, [], {}] }),
    'a digest that is an object': planOf('ntp', { length: 64 }),
    'a unit that is a path': planOf('../../etc', 'x'),
    'a prototype of its own': '{"__proto__":{"units":[{"id":"ntp"}]},"units":[]}',
    'a depth that no stack has': `{"units":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  };
  return Object.entries(documents).map(([name, plan]) => input(`a plan that is ${name}`, { plan }));
}

/** Where the service keeps what it rendered, below its data. */
const STAGING = 'apply/work';
const SLOW = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

function strangeDatabases(): HostileInput[] {
  const made = (name: string, ...sql: string[]): HostileInput =>
    input(`a database with ${name}`, { statements: sql.map((each): HostileInput['statements'][0] => [each, []]) });
  return [
    made('a view without an end', 'ALTER TABLE ntp_source RENAME TO n', `CREATE VIEW ntp_source AS ${SLOW}`),
    made('a plan that is a view', 'ALTER TABLE plan RENAME TO p', `CREATE VIEW plan AS SELECT * FROM p, (${SLOW})`),
    made('a virtual table', 'DROP TABLE ntp_source', 'CREATE VIRTUAL TABLE ntp_source USING fts5(address, kind)'),
    made(
      'a column that is worked out',
      'ALTER TABLE ntp_source ADD COLUMN more BLOB GENERATED ALWAYS AS (zeroblob(1e9)) VIRTUAL',
    ),
    made('a trigger', 'CREATE TRIGGER t AFTER INSERT ON plan BEGIN SELECT 1; END'),
    made('no tables of its own', 'DROP TABLE unit_settings'),
    made('settings that are no JSON', "UPDATE unit_settings SET document = '{'"),
    made('settings of other types', `UPDATE unit_settings SET document = '{"enabled":1,"listen_interfaces":7}'`),
    made(
      'a text of a hundred megabytes',
      'UPDATE ntp_source SET address = hex(zeroblob(50000000)) WHERE rowid = (SELECT min(rowid) FROM ntp_source)',
    ),
  ];
}

function strangeFiles(): HostileInput[] {
  const STATE = "UPDATE unit_state SET entries_digest = ? WHERE unit = 'ntp'";
  const INSERT = "INSERT OR IGNORE INTO unit_state (unit) VALUES ('ntp')";
  const baseline = (name: string, files: unknown, more: object = { facts: [] }): HostileInput => {
    const text = JSON.stringify({ ...more, files, remembered: null });
    const digest = sha256(text);
    return input(`a former state with ${name}`, {
      statements: [
        [INSERT, []],
        [STATE, [digest]],
      ],
      plants: [{ path: `apply/baselines/${digest}`, text }],
    });
  };
  const named = (name: string, digest: string, plants: HostileInput['plants'] = []): HostileInput =>
    input(`a former state that is ${name}`, {
      statements: [
        [INSERT, []],
        [STATE, [digest]],
      ],
      plants,
    });
  const zeros = '0'.repeat(64);
  return [
    ...[
      '/etc/shadow',
      '/var/lib/groundcrew/data/pipe',
      '/var/lib/groundcrew/dnsmasq/leases',
      '/etc/groundcrew/tls/key.pem',
    ].map((path) => baseline(path, [{ path, sha256: '', mode: 0o644 }])),
    baseline('a path that climbs', [{ path: '/etc/groundcrew/chrony/../../shadow', mode: 0o644 }]),
    baseline('a path that is a list', [{ path: ['/etc/groundcrew/chrony/chrony.conf'], mode: 0o644 }]),
    baseline('a mode of root', [{ path: '/etc/groundcrew/chrony/chrony.conf', mode: 0o4755 }]),
    baseline('files that are none', 'files'),
    baseline('facts that are none', [], { facts: {} }),
    baseline('words without an end', [], { entries: [['host x', `a, b, Kickstart ${', medium '.repeat(50_000)}`]] }),
    baseline('words that are numbers', [], { entries: [[1, 2]] }),
    named('a path', '../../../../../etc/shadow'),
    named('a link', zeros, [{ path: `apply/baselines/${zeros}`, link: '/etc/shadow' }]),
    named('without an end', zeros, [{ path: `apply/baselines/${zeros}`, link: '/dev/zero' }]),
    named('a pipe', zeros, [{ path: `apply/baselines/${zeros}`, pipe: true }]),
    input('a database that is a link', { plants: [{ path: 'groundcrew.sqlite', link: '/etc/shadow' }] }),
    input('a database that is a pipe', { plants: [{ path: 'groundcrew.sqlite', pipe: true }] }),
    input('a database that is none', {
      plants: [{ path: 'groundcrew.sqlite', text: 'SQLite format 3\0'.repeat(500) }],
    }),
    input('staged files that are links', {
      plants: [
        { path: `${STAGING}/plan_strangestrangest/ntp/staged/etc/groundcrew/chrony/chrony.conf`, link: '/etc/shadow' },
      ],
    }),
  ];
}

function strangeLines(): HostileInput[] {
  const requests = [
    'id',
    '{"verb":"run","program":"id"}',
    '{"verb":"__proto__"}',
    '{"verb":"ask","question":"constructor"}',
    '{"verb":"forget","plan_id":"../../../../etc"}',
    '['.repeat(100_000),
    ...[
      `include "${SCRIPT}"\n`,
      '\t\tcounter accept comment "x" } } table ip y {\n',
      `# ${'é'.repeat(508)}\ninclude "x"\n`,
    ].map((content) => JSON.stringify({ verb: 'check-filter', content })),
  ];
  return [input('lines that are no requests', { requests })];
}
