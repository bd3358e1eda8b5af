// Which units have pending changes. Triggers count versions, so that a page view needs no rendering.
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { UnitId } from '../unit-names.ts';

export interface UnitState {
  unit: UnitId;
  desired_version: number;
  applied_version: number;
  /** Names the baseline file; null when never applied. */
  entries_digest: string | null;
  digest: string | null;
  plan_id: string | null;
  applied_at: string | null;
}

/** Reads all rows: part of statements that also read other tables. */
export const UNIT_STATES = 'SELECT * FROM unit_state';
/** Unit → desired version, as a JSON object: a column of a statement. */
export const DESIRED_VERSIONS = '(SELECT json_group_object(unit, desired_version) FROM unit_state)';

/** Of one unit: a column of a statement. */
export const desiredVersionOf = (unit: UnitId): string =>
  `(SELECT desired_version FROM unit_state WHERE unit = '${unit}')`;

export async function unitStates(database: Database): Promise<Map<UnitId, UnitState>> {
  const rows = await database.all<UnitState>(UNIT_STATES);
  return new Map(rows.map((row) => [row.unit, row]));
}

/** Digest that names the baseline of a unit; null when it was never applied. */
export async function baselineDigest(database: Database, unit: UnitId): Promise<string | null> {
  const sql = 'SELECT entries_digest FROM unit_state WHERE unit = ?';
  return (await database.one<{ entries_digest: string | null }>(sql, [unit]))?.entries_digest ?? null;
}

/** Units whose desired state changed since it was last applied, in apply order. */

/** The unit is in force as rendered from `version`. */
export async function recordApplied(
  transaction: Transaction,
  unit: UnitId,
  applied: { version: number; digest: string; entries_digest: string; plan_id: string; at: string },
): Promise<void> {
  await transaction.run(
    `UPDATE unit_state SET applied_version = ?, digest = ?, entries_digest = ?, plan_id = ?, applied_at = ? WHERE unit = ?`,
    [applied.version, applied.digest, applied.entries_digest, applied.plan_id, applied.at, unit],
  );
}

/** Something that the unit renders changed, which no edit of its rows tells: it is pending. */
export async function outdateUnit(transaction: Transaction, unit: string): Promise<void> {
  await transaction.run('UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = ?', [unit]);
}

/** The desired state is what is in force again, after an edit and its opposite. Nothing is pending any more. */
export async function settleUnit(transaction: Transaction, unit: UnitId, version: number): Promise<void> {
  await transaction.run('UPDATE unit_state SET applied_version = ? WHERE unit = ? AND desired_version = ?', [
    version,
    unit,
    version,
  ]);
}
