// The queue of each receiver: durable, bounded, in order. The oldest message is tried until it is taken or given up; what is
// given up stays for a while as a dead letter, with the reason. The order is that of the rows: a clock may be set back.
import { instant, later, newId } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { Alert, AlertEvent } from './alert.ts';
import { type Message, messageOf } from './message.ts';

/** Messages of one receiver that wait. */
export const QUEUED_MOST = 200;
/** Messages of one receiver that have ended and are kept. */
const ENDED_MOST = 200;
/** Seconds before a message is tried again: doubled each time, an hour at most. */
export const AGAIN = { first: 30, most: 3600 };
/** After so many it is given up: about ten hours. */
export const ATTEMPTS_MOST = 16;
const REASON_MOST = 1000;

export interface Queued {
  id: string;
  receiver_id: string;
  alert_id: string;
  event: AlertEvent;
  content: string;
  state: 'queued' | 'sent' | 'dead';
  attempts: number;
  made_at: string;
  next_at: string | null;
  ended_at: string | null;
  reason: string;
}

export const contentOf = ({ content }: Queued): Message => JSON.parse(content) as Message;

type Shell = Pick<Services, 'entropy' | 'settings'>;

/** One message for each receiver that is in use, has a confirmed certificate and wants alerts this severe. */
export async function queueMessages(
  tx: Transaction,
  { entropy, settings }: Shell,
  event: AlertEvent,
  alert: Alert,
  now: Date,
): Promise<void> {
  const receivers = await tx.all<{ id: string }>(
    `SELECT id FROM alert_receiver WHERE enabled = 1 AND sha256 IS NOT NULL AND (severity = 'warning' OR severity = ?)
     ORDER BY id`,
    [alert.severity],
  );
  const content = JSON.stringify(messageOf(event, alert, settings.hostname, now));
  for (const { id } of receivers) {
    await tx.run(
      `INSERT INTO alert_message (id, receiver_id, alert_id, event, content, state, made_at, next_at)
       VALUES (?, ?, ?, ?, ?, 'queued', ?, ?)`,
      [newId('message', entropy), id, alert.id, event, content, instant(now), instant(now)],
    );
    await bound(tx, id, now);
  }
}

/** The oldest go first: what stands now is told, if not all that was. */
async function bound(tx: Transaction, receiver_id: string, now: Date): Promise<void> {
  await tx.run(
    `UPDATE alert_message SET state = 'dead', next_at = NULL, ended_at = ?, reason = ?
     WHERE receiver_id = ? AND state = 'queued' AND id NOT IN (SELECT id FROM alert_message
       WHERE receiver_id = ? AND state = 'queued' ORDER BY rowid DESC LIMIT ${QUEUED_MOST})`,
    [instant(now), `More than ${QUEUED_MOST} messages waited for this receiver.`, receiver_id, receiver_id],
  );
  await tx.run(
    `DELETE FROM alert_message WHERE receiver_id = ? AND state <> 'queued' AND id NOT IN (SELECT id FROM alert_message
       WHERE receiver_id = ? AND state <> 'queued' ORDER BY ended_at DESC, id DESC LIMIT ${ENDED_MOST})`,
    [receiver_id, receiver_id],
  );
}

/**
 * Receivers whose oldest message may be tried now: one that was never tried, or whose time has come. A time that is too far
 * ahead is from before the clock was set back.
 */
export async function dueReceivers(db: Database, now: Date): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `SELECT r.id FROM alert_receiver r JOIN alert_message m ON m.id = (SELECT id FROM alert_message
       WHERE receiver_id = r.id AND state = 'queued' ORDER BY rowid LIMIT 1)
     WHERE r.enabled = 1 AND (m.attempts = 0 OR m.next_at <= ? OR m.next_at > ?) ORDER BY r.id`,
    [instant(now), instant(later(now, AGAIN.most + 60))],
  );
  return rows.map(({ id }) => id);
}

/** The oldest message of a receiver that waits; undefined: none does, or its time has not come. */
export async function nextMessage(db: Database, receiver_id: string, now: Date): Promise<Queued | undefined> {
  const row = await db.one<Queued>(
    `SELECT * FROM alert_message WHERE receiver_id = ? AND state = 'queued' ORDER BY rowid LIMIT 1`,
    [receiver_id],
  );
  const [from, until] = [instant(now), instant(later(now, AGAIN.most + 60))];
  return row && (row.attempts === 0 || row.next_at! <= from || row.next_at! > until) ? row : undefined;
}

/** The receiver took it. `note`: what it did not do all the same. */
export async function noteSent(tx: Transaction, { id, receiver_id }: Queued, now: Date, note: string): Promise<void> {
  const at = instant(now);
  await tx.run(
    `UPDATE alert_message SET state = 'sent', attempts = attempts + 1, next_at = NULL, ended_at = ?, reason = ?
     WHERE id = ? AND state = 'queued'`,
    [at, note.slice(0, REASON_MOST), id],
  );
  await tx.run("UPDATE alert_receiver SET failing_since = NULL, last_sent_at = ?, last_reason = '' WHERE id = ?", [
    at,
    receiver_id,
  ]);
}

/** It did not. Answers whether the message is given up. */
export async function noteFailed(
  tx: Transaction,
  { id, receiver_id, attempts }: Queued,
  now: Date,
  reason: string,
): Promise<boolean> {
  const said = reason.slice(0, REASON_MOST);
  const tried = attempts + 1;
  const dead = tried >= ATTEMPTS_MOST;
  const again = instant(later(now, Math.min(AGAIN.most, AGAIN.first * 2 ** (tried - 1))));
  await tx.run(
    `UPDATE alert_message SET state = ?, attempts = ?, next_at = ?, ended_at = ?, reason = ?
     WHERE id = ? AND state = 'queued'`,
    [dead ? 'dead' : 'queued', tried, dead ? null : again, dead ? instant(now) : null, said, id],
  );
  await tx.run('UPDATE alert_receiver SET failing_since = coalesce(failing_since, ?), last_reason = ? WHERE id = ?', [
    instant(now),
    said,
    receiver_id,
  ]);
  return dead;
}

/** The receiver changed, or its certificate was confirmed: what waits is tried at once. */
export const tryNow = (tx: Transaction, receiver_id: string, now: Date): Promise<number> =>
  tx.run("UPDATE alert_message SET next_at = ? WHERE receiver_id = ? AND state = 'queued'", [
    instant(now),
    receiver_id,
  ]);

/** Nothing waits for a receiver that is not in use: weeks later it would be news no more. */
export const giveUp = (tx: Transaction, receiver_id: string, now: Date, reason: string): Promise<number> =>
  tx.run(
    `UPDATE alert_message SET state = 'dead', next_at = NULL, ended_at = ?, reason = ?
     WHERE receiver_id = ? AND state = 'queued'`,
    [instant(now), reason, receiver_id],
  );

/** Newest first. */
export const messagesOf = (db: Database, receiver_id: string, most: number): Promise<Queued[]> =>
  db.all<Queued>('SELECT * FROM alert_message WHERE receiver_id = ? ORDER BY rowid DESC LIMIT ?', [receiver_id, most]);

/** By receiver: messages that wait, and dead letters. One statement. */
export async function messageCounts(db: Database): Promise<Map<string, { queued: number; dead: number }>> {
  const rows = await db.all<{ receiver_id: string; queued: number; dead: number }>(
    `SELECT receiver_id, sum(state = 'queued') AS queued, sum(state = 'dead') AS dead FROM alert_message
     GROUP BY receiver_id`,
  );
  return new Map(rows.map(({ receiver_id, queued, dead }) => [receiver_id, { queued, dead }]));
}
