// Schema 7: network boot with one-time authorization. Kickstarts, installer media, what hosts install, and boot attempts.
import type { Knex } from 'knex';

export const name = '0007-network-boot';

export async function up(knex: Knex): Promise<void> {
  for (const statement of [...KICKSTARTS, ...MEDIA, ...HOSTS, ...ATTEMPTS, ...JOBS, ...PENDING])
    await knex.raw(statement);
}

/** Columns that every collection ends with. */
const KEPT = `description TEXT NOT NULL DEFAULT '', enabled INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL`;

// The text itself is only ever stored sealed; the columns beside it say of it what may be shown.
const KICKSTARTS = [
  `CREATE TABLE network_boot_kickstart (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, text_revision TEXT NOT NULL, text_lines INTEGER NOT NULL,
    text_bytes INTEGER NOT NULL, host_fields TEXT NOT NULL, variables TEXT NOT NULL, text_sealed TEXT NOT NULL,
    ${KEPT}) STRICT`,
];

/** `loaders` and `boot_config` are JSON, as the manifest has them; both are empty until the medium is ready. */
const MEDIA = [
  `CREATE TABLE network_boot_medium (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, state TEXT NOT NULL,
    fault TEXT NOT NULL DEFAULT '', product TEXT NOT NULL DEFAULT '', size_bytes INTEGER NOT NULL DEFAULT 0,
    file_count INTEGER NOT NULL DEFAULT 0, content_digest TEXT NOT NULL DEFAULT '', loaders TEXT NOT NULL DEFAULT '{}',
    boot_config TEXT NOT NULL DEFAULT '[]', ${KEPT}) STRICT`,
];

const HOSTS = [
  'ALTER TABLE network_boot_host ADD COLUMN kickstart_id TEXT REFERENCES network_boot_kickstart(id)',
  'ALTER TABLE network_boot_host ADD COLUMN media_id TEXT REFERENCES network_boot_medium(id)',
  "ALTER TABLE network_boot_host ADD COLUMN variable_names TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE network_boot_host ADD COLUMN variables_sealed TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE network_boot_host ADD COLUMN variables_digest TEXT NOT NULL DEFAULT ''",
  'CREATE INDEX network_boot_host_kickstart ON network_boot_host(kickstart_id) WHERE kickstart_id IS NOT NULL',
  'CREATE INDEX network_boot_host_media ON network_boot_host(media_id) WHERE media_id IS NOT NULL',
];

/**
 * Claim, code and capability are kept as hashes. No reference to the host: what became of an attempt outlives it. The
 * `uptime_` columns hold the same ten minutes by the clock that nobody can set: milliseconds since the machine started.
 */
const ATTEMPTS = [
  `CREATE TABLE boot_attempt (
    id TEXT PRIMARY KEY, host_id TEXT NOT NULL, hostname TEXT NOT NULL, mac_address TEXT NOT NULL,
    firmware TEXT NOT NULL, source_address TEXT NOT NULL, claim_hash TEXT NOT NULL UNIQUE, code_hash TEXT NOT NULL,
    capability_hash TEXT UNIQUE, listener_origin TEXT NOT NULL, kickstart_id TEXT NOT NULL,
    kickstart_revision TEXT NOT NULL, media_id TEXT NOT NULL, applied_digest TEXT NOT NULL,
    manifest_digest TEXT NOT NULL, state TEXT NOT NULL, wrong_codes INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL, window_from TEXT NOT NULL, expires_at TEXT NOT NULL, uptime_boot TEXT NOT NULL,
    uptime_from INTEGER NOT NULL, uptime_until INTEGER NOT NULL, authorized_at TEXT, authorized_by TEXT,
    ended_at TEXT, ended_reason TEXT, ended_from TEXT) STRICT`,
  "CREATE UNIQUE INDEX boot_attempt_open ON boot_attempt(host_id) WHERE state IN ('pending', 'issued')",
  "CREATE UNIQUE INDEX boot_attempt_code ON boot_attempt(code_hash) WHERE state = 'pending'",
  'CREATE INDEX boot_attempt_mac ON boot_attempt(mac_address, created_at)',
  'CREATE INDEX boot_attempt_age ON boot_attempt(created_at, id)',
];

// How often it was taken over from a process that died, since a task of it ended last.
const JOBS = ['ALTER TABLE job ADD COLUMN resumes INTEGER NOT NULL DEFAULT 0'];

const GROW = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'network-boot'";
const differ = (...columns: string[]): string =>
  columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
/** Rows that no host in use names say nothing to the unit; `row`: NEW or OLD. */
const named = (column: string, row: string): string =>
  `EXISTS (SELECT 1 FROM network_boot_host WHERE enabled = 1 AND ${column} = ${row}.id)`;

const HOST_COLUMNS = [
  'enabled',
  'hostname',
  'mac_address',
  'ip_address',
  'kickstart_id',
  'media_id',
  'variables_digest',
];

/** What the unit renders, as in the schemas before: a version that grows by trigger. */
const PENDING = [
  // What an older release saved is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'network-boot',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'network-boot') OR EXISTS (SELECT 1 FROM network_boot_host)`,
  `CREATE TRIGGER network_boot_host_insert_boot AFTER INSERT ON network_boot_host WHEN NEW.enabled = 1
    BEGIN ${GROW}; END`,
  `CREATE TRIGGER network_boot_host_delete_boot AFTER DELETE ON network_boot_host WHEN OLD.enabled = 1
    BEGIN ${GROW}; END`,
  `CREATE TRIGGER network_boot_host_update_boot AFTER UPDATE ON network_boot_host
    WHEN (OLD.enabled = 1 OR NEW.enabled = 1) AND (${differ(...HOST_COLUMNS)}) BEGIN ${GROW}; END`,
  `CREATE TRIGGER network_boot_kickstart_update_boot AFTER UPDATE ON network_boot_kickstart
    WHEN ${named('kickstart_id', 'NEW')} AND (${differ('name', 'enabled', 'text_revision')}) BEGIN ${GROW}; END`,
  `CREATE TRIGGER network_boot_medium_update_boot AFTER UPDATE ON network_boot_medium
    WHEN ${named('media_id', 'NEW')} AND (${differ('name', 'enabled', 'state', 'content_digest')}) BEGIN ${GROW}; END`,
];
