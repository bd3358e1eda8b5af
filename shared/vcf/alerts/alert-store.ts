// Alerts in the database, and the step from one look to the next: what is opened or closed is saved together with what is to
// be told of it.
import { instant, later, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { Alert, AlertState } from './alert.ts';
import { queueMessages } from './queue.ts';
import { type Change, type Hold, type Seen, step } from './step.ts';

/** Closed alerts that are kept. */
export const CLOSED_MOST = 1000;
/** Days that a closed alert is kept. */
export const CLOSED_DAYS = 90;
/** Seconds within which one that comes back after it was closed is the same one that flaps. */
const FLAPS_WITHIN = 3600;

const STANDING = "SELECT * FROM alert WHERE state <> 'closed' ORDER BY since, id";

/** Those that are open, and those that wait. One statement. */
export const standingAlerts = (db: Database): Promise<Alert[]> => db.all<Alert>(STANDING);

/** Open ones: of all, and of those that nobody acknowledged. One statement. */
export async function openCounts(db: Database): Promise<{ open: number; fresh: number }> {
  const row = await db.one<{ open: number; fresh: number }>(
    `SELECT count(*) AS open, coalesce(sum(acknowledged_at IS NULL), 0) AS fresh FROM alert WHERE state = 'open'`,
  );
  return row!;
}

type Shell = Pick<Services, 'store' | 'entropy' | 'settings'>;

/** One look. Where nothing changes nothing is written. Answers what was told. */
export async function takeStep({ store, entropy, settings }: Shell, seen: Seen, hold: Hold): Promise<Change[]> {
  if (step(await standingAlerts(store), seen, hold).length === 0) return [];
  return store.write(async (tx) => {
    const flaps = await recentFlaps(tx, seen.now);
    const changes = step(
      await standingAlerts(tx),
      seen,
      hold,
      (condition, subject) => flaps.get(`${condition} ${subject}`) ?? 0,
    );
    for (const { alert, tells, forget } of changes) {
      if (forget) {
        await tx.run('DELETE FROM alert WHERE id = ?', [alert.id]);
        continue;
      }
      const row: Alert = { ...alert, id: alert.id ?? newId('alert', entropy) };
      await save(tx, row);
      if (tells) await queueMessages(tx, { entropy, settings }, tells, row, seen.now);
    }
    await prune(tx, seen.now);
    return changes;
  });
}

async function save(tx: Transaction, alert: Alert): Promise<void> {
  const row = { ...alert } as unknown as Record<string, SqlValue>;
  await tx.run(build('alert').insert(row).onConflict('id').merge());
}

/** Of alerts that closed within the hour: the flaps that one of the same condition and subject begins with. */
async function recentFlaps(tx: Transaction, now: Date): Promise<Map<string, number>> {
  const rows = await tx.all<{ condition: string; subject: string; flaps: number }>(
    `SELECT condition, subject, max(flaps) AS flaps FROM alert WHERE state = 'closed' AND closed_at > ? AND closed_at <= ?
     GROUP BY condition, subject`,
    [instant(later(now, -FLAPS_WITHIN)), instant(now)],
  );
  return new Map(rows.map(({ condition, subject, flaps }) => [`${condition} ${subject}`, flaps + 1]));
}

/** The bound of the history. */
async function prune(tx: Transaction, now: Date): Promise<void> {
  await tx.run(
    `DELETE FROM alert WHERE state = 'closed' AND (closed_at < ? OR id NOT IN
       (SELECT id FROM alert WHERE state = 'closed' ORDER BY closed_at DESC, id LIMIT ${CLOSED_MOST}))`,
    [instant(later(now, -CLOSED_DAYS * 86_400))],
  );
}

/** For a factory reset. */
export async function forgetAlerts(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM alert');
}

export interface AlertQuery {
  state?: AlertState | undefined;
  condition?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const IN_STATE: Readonly<Record<AlertState, string>> = {
  open: "state = 'open' AND acknowledged_at IS NULL",
  acknowledged: "state = 'open' AND acknowledged_at IS NOT NULL",
  closed: "state = 'closed'",
};

/** Those that were opened, the newest first. One statement. */
export async function listAlerts(db: Database, query: AlertQuery): Promise<Page<Alert>> {
  const { state, condition, limit, cursor } = query;
  const list = build<Alert>('alert').select('*').whereNotNull('opened_at');
  if (state) list.whereRaw(IN_STATE[state]);
  if (condition) list.where('condition', condition);
  for (const column of ['opened_at', 'id']) list.orderBy(column, 'desc');
  if (cursor) list.whereRaw('(opened_at, id) < (?, ?)', decodeCursor(cursor, 2));
  const rows = await db.all<Alert>(list.limit(limit + 1));
  return pageOf(
    rows,
    limit,
    (row) => [row.opened_at!, row.id],
    (row) => row,
  );
}

/** @throws Problem 404 */
export async function findAlert(db: Database, id: string): Promise<Alert> {
  const row = await db.one<Alert>('SELECT * FROM alert WHERE id = ? AND opened_at IS NOT NULL', [id]);
  if (!row) throw notFound('This alert');
  return row;
}

/** Whoever was first stays. @throws Problem 404; 409 for one that is closed, or that somebody acknowledged */
export async function acknowledge(tx: Transaction, id: string, by: string, now: Date): Promise<Alert> {
  const alert = await findAlert(tx, id);
  const { state, acknowledged_by } = alert;
  if (state === 'closed') throw new Problem('state_conflict', 'The alert is closed: its condition has ended.');
  if (acknowledged_by !== null)
    throw new Problem('state_conflict', `The alert was acknowledged by ${acknowledged_by} already.`);
  const acknowledged_at = instant(now);
  await tx.run('UPDATE alert SET acknowledged_at = ?, acknowledged_by = ? WHERE id = ?', [acknowledged_at, by, id]);
  return { ...alert, acknowledged_at, acknowledged_by: by };
}
