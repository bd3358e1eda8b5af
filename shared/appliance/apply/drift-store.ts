// What the host was last found to be, unit by unit: read together with the units' versions, written by the clock.
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { UNIT_STATES, type UnitState } from '../../platform/applied/unit-state.ts';
import { ROOTS_MARK } from '../../platform/certificate-authority/certificate-store.ts';
import { INTERFACES_MARK } from '../../platform/interfaces/interface-store.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { type ChangedFile, fileWords } from './changed-files.ts';

/** `unreadable`: the host could not be asked; `lines` says why. */
export const DRIFT_STATES = ['none', 'drifted', 'unreadable'] as const;
export type DriftState = (typeof DRIFT_STATES)[number];

/** A file, or a clause of the unit about what runs. */
export type DriftLine = ChangedFile | string;
export const lineWords = (line: DriftLine): string => (typeof line === 'string' ? line : fileWords(line));

export interface Drift {
  state: DriftState;
  checked_at: string;
  /** Set from the first comparison that found a difference until one finds none. */
  first_seen_at: string | null;
  last_seen_at: string | null;
  /** The first LINES_KEPT differences. */
  lines: DriftLine[];
  /** Differences beyond those. */
  more: number;
}

/** What a service last answered when it was asked. */
export interface Probed {
  ok: boolean;
  /** The question and the answer, in one sentence. */
  said: string;
  asked_at: string;
  /** Since when it answers so. */
  since: string;
}

/** A unit's versions, and what the host was found to be since it was last applied; null: not compared, not asked since. */
export interface UnitStanding extends UnitState {
  drift: Drift | null;
  probe: Probed | null;
  /** Of what units render of others and no version of theirs counts: another text tells that it may have changed. */
  surroundings: string;
}

interface StandingRow extends UnitState {
  surroundings: string;
  ok: number | null;
  said: string | null;
  asked_at: string | null;
  since: string | null;
  drift_state: DriftState | null;
  checked_at: string | null;
  first_seen_at: string | null;
  last_seen_at: string | null;
  lines: string | null;
  more: number | null;
}

/** In place of the instant of a comparison that was before the last apply. */
export const OUTDATED = '';

/** In the transaction that records a unit as applied. When a difference was first seen stays known. */
export async function outdateDrift(transaction: Transaction, unit: UnitId): Promise<void> {
  await transaction.run('UPDATE unit_drift SET checked_at = ? WHERE unit = ?', [OUTDATED, unit]);
  await transaction.run('DELETE FROM unit_probe WHERE unit = ?', [unit]);
}

const STANDINGS = `SELECT unit_state.*, unit_drift.state AS drift_state, checked_at, first_seen_at, last_seen_at, lines, more,
    ok, said, asked_at, since, ${INTERFACES_MARK} || ' ' || ${ROOTS_MARK} AS surroundings
  FROM (${UNIT_STATES}) AS unit_state LEFT JOIN unit_drift ON unit_drift.unit = unit_state.unit
    LEFT JOIN unit_probe ON unit_probe.unit = unit_state.unit`;

/** All of it, as it was written down. */
export async function storedDrift(database: Database): Promise<Map<UnitId, UnitStanding>> {
  const rows = await database.all<StandingRow>(STANDINGS);
  return new Map(
    rows.map(({ drift_state, checked_at, first_seen_at, last_seen_at, lines, more, ...rest }) => {
      const { ok, said, asked_at, since, surroundings, ...state } = rest;
      const known = drift_state !== null && checked_at !== null;
      const drift = known
        ? { state: drift_state, checked_at, first_seen_at, last_seen_at, lines: parsed(lines), more: more ?? 0 }
        : null;
      const asked = said !== null && asked_at !== null && since !== null;
      const probe = asked ? { ok: ok === 1, said, asked_at, since } : null;
      return [state.unit, { ...state, drift, probe, surroundings }];
    }),
  );
}

/** Before there were facts, a file was a clause as well; those clauses are fixed. */
const FORMER: readonly [RegExp, ChangedFile['state']][] = [
  [/^(\/.*) is not there$/, 'missing'],
  [/^(\/.*) was changed$/, 'changed'],
];

const parsed = (lines: string | null): DriftLine[] => (JSON.parse(lines ?? '[]') as DriftLine[]).map(lineOf);

function lineOf(line: DriftLine): DriftLine {
  if (typeof line !== 'string') return line;
  return (
    FORMER.flatMap(
      ([shape, state]) =>
        shape
          .exec(line)
          ?.slice(1)
          .map((path) => ({ path, state })) ?? [],
    )[0] ?? line
  );
}

/**
 * What is true now as far as anybody knows: what was found before the last apply says nothing of the host after it.
 * Marked, not told from the times: the apply may have set the clock.
 */
export async function unitStandings(database: Database): Promise<Map<UnitId, UnitStanding>> {
  const stored = await storedDrift(database);
  for (const standing of stored.values()) {
    if (standing.drift?.checked_at === OUTDATED) standing.drift = null;
  }
  return stored;
}

export async function writeDrift(transaction: Transaction, found: ReadonlyMap<UnitId, Drift>): Promise<void> {
  if (found.size === 0) return;
  const rows = [...found].map(([unit, drift]) => ({ unit, ...drift, lines: JSON.stringify(drift.lines) }));
  await transaction.run(build('unit_drift').insert(rows).onConflict('unit').merge());
}

export async function writeProbes(transaction: Transaction, asked: ReadonlyMap<UnitId, Probed>): Promise<void> {
  if (asked.size === 0) return;
  const rows = [...asked].map(([unit, probe]) => ({ unit, ...probe, ok: probe.ok ? 1 : 0 }));
  await transaction.run(build('unit_probe').insert(rows).onConflict('unit').merge());
}
