// Schema of alerts: what needed somebody and since when, who is told, and what is still to be told.
import type { Knex } from 'knex';

export const name = '0036-alerts';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // `waiting`: the condition is there, but not for long enough. A condition of one subject stands once.
  `CREATE TABLE alert (
    id TEXT PRIMARY KEY, condition TEXT NOT NULL, subject TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('critical', 'warning')), says TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'open', 'closed')),
    since TEXT NOT NULL, opened_at TEXT, gone_since TEXT, closed_at TEXT, reminded_at TEXT,
    acknowledged_at TEXT, acknowledged_by TEXT, flaps INTEGER NOT NULL DEFAULT 0,
    CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL)),
    CHECK ((state = 'waiting') = (opened_at IS NULL)), CHECK ((state = 'closed') = (closed_at IS NOT NULL))) STRICT`,
  "CREATE UNIQUE INDEX alert_standing ON alert(condition, subject) WHERE state <> 'closed'",
  'CREATE INDEX alert_opened ON alert(opened_at, id) WHERE opened_at IS NOT NULL',
  "CREATE INDEX alert_closed ON alert(condition, subject, closed_at) WHERE state = 'closed'",
  // `place` is JSON: what its kind needs. Without a confirmed certificate nothing is sent. Failures, times and reasons are observed.
  `CREATE TABLE alert_receiver (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK (kind IN ('webhook', 'mail', 'syslog')),
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    severity TEXT NOT NULL CHECK (severity IN ('critical', 'warning')), place TEXT NOT NULL, sha256 TEXT,
    failing_since TEXT, last_sent_at TEXT, last_reason TEXT NOT NULL DEFAULT '',
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`,
  // A table of its own, so that receivers are in every archive and their secrets in encrypted ones alone. A secret is for one
  // server: of another one it is not used.
  `CREATE TABLE alert_receiver_secret (
    id TEXT PRIMARY KEY, receiver_id TEXT NOT NULL UNIQUE REFERENCES alert_receiver(id) ON DELETE CASCADE,
    server TEXT NOT NULL, kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`,
  'CREATE INDEX alert_receiver_secret_kek ON alert_receiver_secret(kek_id)',
  `CREATE TABLE alert_message (
    id TEXT PRIMARY KEY, receiver_id TEXT NOT NULL REFERENCES alert_receiver(id) ON DELETE CASCADE,
    alert_id TEXT NOT NULL, event TEXT NOT NULL CHECK (event IN ('opened', 'worse', 'reminder', 'closed')),
    content TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0, made_at TEXT NOT NULL, next_at TEXT, ended_at TEXT,
    reason TEXT NOT NULL DEFAULT '', CHECK ((state = 'queued') = (ended_at IS NULL))) STRICT`,
  "CREATE INDEX alert_message_queue ON alert_message(receiver_id, made_at, id) WHERE state = 'queued'",
  "CREATE INDEX alert_message_ended ON alert_message(receiver_id, ended_at) WHERE state <> 'queued'",
];
