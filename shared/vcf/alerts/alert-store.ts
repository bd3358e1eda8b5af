// Alerts in the database, and the step from one look to the next: what is opened or closed is saved together with what is to
// be told of it.
import { instant, later, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { ALERT_STATES, type Alert, type AlertState } from './alert.ts';
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
  /** Part of what it says, its subject, its condition or who acknowledged it, in any case. */
  search?: string | undefined;
  /** One of ALERT_SORTS, `-` before it for descending; else those that were opened last first. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const IN_STATE: Readonly<Record<AlertState, string>> = {
  open: "state = 'open' AND acknowledged_at IS NULL",
  acknowledged: "state = 'open' AND acknowledged_at IS NOT NULL",
  closed: "state = 'closed'",
};

const SORTS = {
  condition: 'condition',
  opened_at: 'opened_at',
  closed_at: "coalesce(closed_at, '')",
};
export const ALERT_SORTS = Object.keys(SORTS);

/** The list that its page shows, by the texts of the page's query. */
export const alertFilter = ({
  search,
  sort,
  state,
}: Partial<Record<string, string>>): Pick<AlertQuery, 'search' | 'sort' | 'state'> => ({
  search,
  sort,
  state: ALERT_STATES.find((known) => known === state),
});

const COLUMNS = `id, condition, subject, severity, says, state, since, opened_at, gone_since, closed_at, reminded_at,
  acknowledged_at, acknowledged_by, flaps`;

/** Those that were opened, the newest first unless another order is asked for. One statement. */
export function listAlerts(db: Database, { state, condition, search, ...page }: AlertQuery): Promise<Page<Alert>> {
  const list = build<Alert>('alert').select(build.raw(COLUMNS)).whereNotNull('opened_at');
  if (state) list.whereRaw(IN_STATE[state]);
  if (condition) list.where('condition', condition);
  searchIn(list, ['says', 'subject', 'condition', "coalesce(acknowledged_by, '')"], search?.trim());
  const order = { sorts: SORTS, own: ['opened_at', 'id'], descending: true } as const;
  return sortedPage<Alert & Record<`place_${number}`, unknown>, Alert>(db, list, order, page, alertOf);
}

/** Without the places in the order. */
function alertOf({
  place_0: _0,
  place_1: _1,
  place_2: _2,
  ...alert
}: Alert & Record<`place_${number}`, unknown>): Alert {
  return alert;
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
