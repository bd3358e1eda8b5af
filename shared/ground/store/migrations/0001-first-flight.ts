// Schema 1: access, audit, jobs, interfaces, DNS, plans and baselines.
import type { Knex } from 'knex';

export const name = '0001-first-flight';

export async function up(knex: Knex): Promise<void> {
  for (const statement of [...ACCESS, ...HISTORY, ...JOBS, ...DESIRED, ...APPLY, ...counters()]) {
    await knex.raw(statement);
  }
}

const ACCESS = [
  `CREATE TABLE user (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, password_hash TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1) STRICT`,
  `CREATE TABLE session (
    id_hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, csrf_token TEXT NOT NULL,
    created_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, source_address TEXT NOT NULL) STRICT`,
  `CREATE TABLE sign_in_throttle (
    key TEXT PRIMARY KEY, failures INTEGER NOT NULL, last_failure_at TEXT NOT NULL, blocked_until TEXT) STRICT`,
  `CREATE TABLE api_token (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, secret_hmac TEXT NOT NULL, scopes TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, created_by TEXT NOT NULL, created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL, last_used_at TEXT, last_used_from TEXT, revoked_at TEXT) STRICT`,
  'CREATE INDEX api_token_user ON api_token(user_id)',
];

const HISTORY = [
  `CREATE TABLE audit_event (
    seq INTEGER PRIMARY KEY, at TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT, actor_name TEXT NOT NULL,
    action TEXT NOT NULL, resource_type TEXT NOT NULL, resource_id TEXT, outcome TEXT NOT NULL,
    request_id TEXT NOT NULL, source_address TEXT NOT NULL, detail TEXT NOT NULL,
    previous_hash TEXT NOT NULL, hash TEXT NOT NULL) STRICT`,
  'CREATE INDEX audit_event_action ON audit_event(action, seq)',
  'CREATE INDEX audit_event_resource ON audit_event(resource_type, resource_id, seq)',
  `CREATE TABLE idempotency_key (
    actor TEXT NOT NULL, key TEXT NOT NULL, operation_id TEXT NOT NULL, request_hash TEXT NOT NULL,
    answer TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (actor, key)) STRICT`,
];

const JOBS = [
  `CREATE TABLE job (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, subject TEXT, input TEXT NOT NULL,
    progress_percent INTEGER NOT NULL DEFAULT 0, created_by TEXT NOT NULL, created_at TEXT NOT NULL, started_at TEXT,
    finished_at TEXT, result TEXT, error TEXT, cancel_requested INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT, lease_until TEXT) STRICT`,
  'CREATE INDEX job_state ON job(state, created_at)',
  `CREATE TABLE task (
    id TEXT PRIMARY KEY, job_id TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE, position INTEGER NOT NULL,
    name TEXT NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL, progress_percent INTEGER NOT NULL DEFAULT 0,
    started_at TEXT, finished_at TEXT, log TEXT NOT NULL DEFAULT '[]', UNIQUE (job_id, position)) STRICT`,
  `CREATE TABLE mutation_lock (
    scope TEXT PRIMARY KEY, job_id TEXT NOT NULL, since TEXT NOT NULL) STRICT`,
];

const DESIRED = [
  `CREATE TABLE interface (
    name TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, mac_address TEXT NOT NULL DEFAULT '',
    driver TEXT, speed_mbps INTEGER, observed TEXT, present INTEGER NOT NULL DEFAULT 1,
    parent_interface TEXT REFERENCES interface(name) ON UPDATE CASCADE, vlan_id INTEGER,
    role TEXT NOT NULL DEFAULT 'unused', mode TEXT NOT NULL DEFAULT 'access',
    ipv4_method TEXT NOT NULL DEFAULT 'static', ipv4_cidr TEXT NOT NULL DEFAULT '',
    ipv4_gateway TEXT NOT NULL DEFAULT '', ipv6_enabled INTEGER NOT NULL DEFAULT 0,
    ipv6_cidr TEXT NOT NULL DEFAULT '', ipv6_gateway TEXT NOT NULL DEFAULT '', mtu INTEGER NOT NULL DEFAULT 1500,
    enabled INTEGER NOT NULL DEFAULT 0, access_management_ui_enabled INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1, updated_at TEXT NOT NULL, UNIQUE (parent_interface, vlan_id)) STRICT`,
  `CREATE TABLE dns_zone (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, enabled INTEGER NOT NULL DEFAULT 1,
    description TEXT NOT NULL DEFAULT '', revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL) STRICT`,
  `CREATE TABLE dns_record (
    id TEXT PRIMARY KEY, fqdn TEXT NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '', enabled INTEGER NOT NULL DEFAULT 1, owner_source TEXT, owner_ref TEXT,
    owner_component TEXT, zone_id TEXT NOT NULL REFERENCES dns_zone(id), revision INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (fqdn, type, value)) STRICT`,
  'CREATE INDEX dns_record_zone ON dns_record(zone_id, fqdn, type, value)',
  'CREATE INDEX dns_record_zone_value ON dns_record(zone_id, value, fqdn, type)',
  'CREATE INDEX dns_record_value ON dns_record(value, fqdn, type)',
  `CREATE TABLE unit_settings (
    unit TEXT PRIMARY KEY, document TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1, updated_at TEXT NOT NULL) STRICT`,
];

const APPLY = [
  // desired_version grows with every change of what the unit is made from; applied_version is its value when the
  // baseline was taken. Different numbers mean "saved, not applied" without rendering anything.
  `CREATE TABLE unit_state (
    unit TEXT PRIMARY KEY, desired_version INTEGER NOT NULL DEFAULT 0, applied_version INTEGER NOT NULL DEFAULT 0,
    digest TEXT, entries_digest TEXT, plan_id TEXT, applied_at TEXT) STRICT`,
  `CREATE TABLE plan (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, digest TEXT NOT NULL, document TEXT NOT NULL, note TEXT NOT NULL DEFAULT '',
    created_by TEXT NOT NULL, created_at TEXT NOT NULL, submitted_by TEXT, submitted_at TEXT, job_id TEXT,
    run TEXT, finished_at TEXT) STRICT`,
  'CREATE INDEX plan_created ON plan(created_at)',
];

/** Which unit each desired-state table feeds, and when; its version grows by trigger, so that no write path can forget it. */
const FEEDS: { table: string; unit: string; events: string[]; when?: string }[] = [
  { table: 'interface', unit: 'network', events: ['INSERT', 'DELETE'] },
  { table: 'interface', unit: 'network', events: ['UPDATE'], when: changed([...listening(), ...configured()]) },
  { table: 'interface', unit: 'dns-dhcp', events: ['INSERT'], when: listensOn('NEW') },
  { table: 'interface', unit: 'dns-dhcp', events: ['DELETE'], when: listensOn('OLD') },
  {
    table: 'interface',
    unit: 'dns-dhcp',
    events: ['UPDATE'],
    when: `(${changed(listening())}) AND (${listensOn('OLD')} OR ${listensOn('NEW')})`,
  },
  { table: 'dns_zone', unit: 'dns-dhcp', events: ['INSERT', 'UPDATE', 'DELETE'] },
  { table: 'dns_record', unit: 'dns-dhcp', events: ['INSERT', 'UPDATE', 'DELETE'] },
];

/** What a service that listens on an interface has to know of it. */
function listening(): string[] {
  return ['name', 'enabled', 'present', 'ipv4_method', 'ipv4_cidr', 'ipv6_enabled', 'ipv6_cidr'];
}

/** The rest of what is desired; what discovery observes is not, so a refresh alone makes nothing pending. */
function configured(): string[] {
  return ['role', 'mode', 'ipv4_gateway', 'ipv6_gateway', 'mtu', 'access_management_ui_enabled'];
}

function changed(columns: string[]): string {
  return columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
}

/** Whether the saved settings of the name service bind to the interface. */
function listensOn(row: 'OLD' | 'NEW'): string {
  return `EXISTS (SELECT 1 FROM unit_settings, json_each(document, '$.listen_interfaces')
    WHERE unit = 'dns-dhcp' AND value = ${row}.name)`;
}

function counters(): string[] {
  const grow = (unit: string) => `UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = ${unit};`;
  const seeded = ['network', 'dns-dhcp'].map((unit) => `INSERT INTO unit_state (unit) VALUES ('${unit}')`);
  const tables = FEEDS.flatMap(({ table, unit, events, when }) =>
    events.map((event) => {
      const name = `${table}_${event.toLowerCase()}_${unit.replaceAll('-', '_')}`;
      const condition = when ? `WHEN ${when}` : '';
      return `CREATE TRIGGER ${name} AFTER ${event} ON ${table} ${condition} BEGIN ${grow(`'${unit}'`)} END`;
    }),
  );
  const settings = ['INSERT', 'UPDATE'].map(
    (event) =>
      `CREATE TRIGGER unit_settings_${event.toLowerCase()} AFTER ${event} ON unit_settings BEGIN ${grow('NEW.unit')} END`,
  );
  return [...seeded, ...tables, ...settings];
}
