// Rows of boot attempts: starting, finding, issuing, consuming and ending them. Each change is one conditional
// statement, so that of any number of callers exactly one succeeds.
import { instant, inTheLast } from '../../../ground/clock.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import { newestPage, type Page } from '../../../ground/store/pagination.ts';
import { type AttemptState, END_REASONS, type EndReason, type Moment, type Window } from './attempt.ts';

export interface Attempt extends Window {
  id: string;
  host_id: string;
  hostname: string;
  mac_address: string;
  /** Firmware by the console's own query: `efi` or `pcbios`. */
  firmware: string;
  source_address: string;
  claim_hash: string;
  code_hash: string;
  capability_hash: string | null;
  listener_origin: string;
  kickstart_id: string;
  kickstart_revision: string;
  media_id: string;
  applied_digest: string;
  manifest_digest: string;
  state: AttemptState;
  wrong_codes: number;
  created_at: string;
  authorized_at: string | null;
  authorized_by: string | null;
  ended_at: string | null;
  ended_reason: EndReason | null;
  /** Address that retrieved the Kickstart, or misused the capability. */
  ended_from: string | null;
}

const COLUMNS = [
  'id',
  'host_id',
  'hostname',
  'mac_address',
  'firmware',
  'source_address',
  'claim_hash',
  'code_hash',
  'capability_hash',
  'listener_origin',
  'kickstart_id',
  'kickstart_revision',
  'media_id',
  'applied_digest',
  'manifest_digest',
  'state',
  'wrong_codes',
  'created_at',
  'window_from',
  'expires_at',
  'uptime_boot',
  'uptime_from',
  'uptime_until',
  'authorized_at',
  'authorized_by',
  'ended_at',
  'ended_reason',
  'ended_from',
] as const satisfies readonly (keyof Attempt)[];

const OPEN = "state IN ('pending', 'issued')";
const INSERT = `INSERT INTO boot_attempt (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM boot_attempt`;

export async function insertAttempt(tx: Transaction, attempt: Attempt): Promise<void> {
  await tx.run(
    INSERT,
    COLUMNS.map((column): SqlValue => attempt[column]),
  );
}

/** By a column whose values are unique, or unique among open attempts. */
const BY = {
  id: `${SELECT} WHERE id = ?`,
  claim: `${SELECT} WHERE claim_hash = ?`,
  capability: `${SELECT} WHERE capability_hash = ?`,
  /** The attempt that waits for a code. */
  pending_of_host: `${SELECT} WHERE host_id = ? AND state = 'pending'`,
  pending_code: `${SELECT} WHERE code_hash = ? AND state = 'pending'`,
  /** By the order of starts, which a clock that was set back does not change. */
  last_of_mac: `${SELECT} WHERE mac_address = ? ORDER BY rowid DESC LIMIT 1`,
} as const;

export async function findAttempt(db: Database, by: keyof typeof BY, value: string): Promise<Attempt | null> {
  return (await db.one<Attempt>(BY[by], [value])) ?? null;
}

/** How many attempts began in the last `seconds`, without those that a clock set back since puts in the future. */
export async function startedWithin(db: Database, mac_address: string, now: Date, seconds: number): Promise<number> {
  const { after, until } = inTheLast(now, seconds);
  const row = await db.one<{ started: number }>(
    'SELECT count(*) AS started FROM boot_attempt WHERE mac_address = ? AND created_at > ? AND created_at <= ?',
    [mac_address, after, until],
  );
  return row!.started;
}

/** The condition of isWithin in attempt.ts, for the deciding statement. */
const WITHIN = `window_from <= ? AND ? < expires_at AND uptime_boot = ? AND uptime_from <= ? AND ? < uptime_until`;
const within = ({ at, boot, uptime }: Moment): SqlValue[] => [instant(at), instant(at), boot, uptime, uptime];

/** True when this call changed the attempt from pending to issued; its window begins again. */
export async function issueAttempt(
  tx: Transaction,
  { id }: Attempt,
  issued: { now: Moment; window: Window; capability_hash: string; by: string },
): Promise<boolean> {
  const { now, window, capability_hash, by } = issued;
  const changed = await tx.run(
    `UPDATE boot_attempt SET state = 'issued', capability_hash = ?, authorized_at = ?, authorized_by = ?,
       window_from = ?, expires_at = ?, uptime_boot = ?, uptime_from = ?, uptime_until = ?
     WHERE id = ? AND state = 'pending' AND ${WITHIN}`,
    [
      capability_hash,
      instant(now.at),
      by,
      window.window_from,
      window.expires_at,
      window.uptime_boot,
      window.uptime_from,
      window.uptime_until,
      id,
      ...within(now),
    ],
  );
  return changed === 1;
}

/** Consumes the attempt: true for exactly one caller. */
export async function consumeAttempt(
  tx: Transaction,
  attempt: Attempt,
  { now, from }: { now: Moment; from: string },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE boot_attempt SET state = 'consumed', ended_at = ?, ended_reason = 'retrieved', ended_from = ?
     WHERE id = ? AND state = 'issued' AND capability_hash = ? AND applied_digest = ? AND ${WITHIN}`,
    [instant(now.at), from, attempt.id, attempt.capability_hash, attempt.applied_digest, ...within(now)],
  );
  return changed === 1;
}

/** Ends an open attempt; false when it had ended already. */
export async function endAttempt(
  tx: Transaction,
  id: string,
  reason: EndReason,
  at: Date,
  from: string | null = null,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE boot_attempt SET state = ?, ended_at = ?, ended_reason = ?, ended_from = ? WHERE id = ? AND ${OPEN}`,
    [END_REASONS[reason], instant(at), reason, from, id],
  );
  return changed === 1;
}

/** Counts a wrong code against a pending attempt; answers how many it has had. */
export async function countWrongCode(tx: Transaction, { id, wrong_codes }: Attempt): Promise<number> {
  await tx.run("UPDATE boot_attempt SET wrong_codes = wrong_codes + 1 WHERE id = ? AND state = 'pending'", [id]);
  return wrong_codes + 1;
}

export async function openAttemptsOf(db: Database, host_id: string): Promise<Attempt[]> {
  return db.all<Attempt>(`${SELECT} WHERE host_id = ? AND ${OPEN}`, [host_id]);
}

export async function pendingAttempts(db: Database): Promise<Attempt[]> {
  return db.all<Attempt>(`${SELECT} WHERE state = 'pending'`);
}

/** Newest first: open attempts, and the last `ended` ended ones. */
export async function recentAttempts(db: Database, ended: number): Promise<Attempt[]> {
  return db.all<Attempt>(
    `SELECT * FROM (${SELECT} WHERE ${OPEN} ORDER BY created_at DESC, id DESC)
     UNION ALL SELECT * FROM (${SELECT} WHERE NOT (${OPEN}) ORDER BY ended_at DESC, id DESC LIMIT ?)`,
    [ended],
  );
}

export async function openAttempts(db: Database): Promise<Attempt[]> {
  return db.all<Attempt>(`${SELECT} WHERE ${OPEN}`);
}

export async function forgetAttempts(tx: Transaction, before: Date): Promise<number> {
  return tx.run(`DELETE FROM boot_attempt WHERE created_at < ? AND NOT (${OPEN})`, [instant(before)]);
}

export interface AttemptQuery {
  host_id?: string | undefined;
  mac_address?: string | undefined;
  state?: AttemptState | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Newest first, with stored states: an attempt that ran out stays `pending` or `issued` until the ticker runs. */
export async function listAttempts(db: Database, query: AttemptQuery): Promise<Page<Attempt>> {
  const list = build('boot_attempt').select([...COLUMNS]);
  for (const column of ['host_id', 'mac_address', 'state'] as const) {
    if (query[column] !== undefined) list.where(column, query[column]);
  }
  return newestPage<Attempt, Attempt>(db, list, query, (row) => row);
}
