// The rows of an import held against their own rules, then against what is saved and each other: by a job, or for a preview.
import { createHash } from 'node:crypto';
import type { Database } from '../../../../ground/store/database.ts';
import { inTurns } from '../../../../ground/turns.ts';
import { canonicalOr } from '../record-store.ts';
import { Refused } from './refused.ts';
import { type ImportRow, importRows, type Source } from './rows.ts';
import { type CheckedRow, type Saved, type Saving, saveRows } from './save.ts';

export interface Checked {
  /** In the order of the file; null for a row that is refused for itself. */
  rows: (CheckedRow | null)[];
  refused: Refused;
  /** Where people find a row, by its place. */
  lines: number[];
}

/**
 * What the rows say. `others`: what is done whenever others have had their turn.
 * @throws Problem 422 when the text can’t be read
 */
export async function checkedRows(source: Source, others?: (done: number) => Promise<void>): Promise<Checked> {
  const checked: Checked = { rows: [], refused: new Refused(source.type), lines: [] };
  const { rows, lines, refused } = checked;
  const turn = inTurns();
  for (const row of importRows(source)) {
    if (row !== null) {
      rows.push(checkedRow(row, refused));
      lines.push(row.line);
    }
    const waits = turn();
    if (waits === undefined) continue;
    await waits;
    await others?.(rows.length);
  }
  return checked;
}

function checkedRow({ at, line, draft, faults }: ImportRow, refused: Refused): CheckedRow | null {
  const about = { at, line, draft };
  for (const { member, detail } of faults) {
    refused.add(about, { member, code: 'request_validation_failed', detail });
  }
  if (draft === null) return null;
  const record = canonicalOr(draft, (fault) => refused.add(about, fault));
  return record && { ...record, description: draft.description ?? '', enabled: draft.enabled ?? true };
}

export interface Compared extends Saved {
  /** Places of rows that are saved already, and stay as they are. */
  stays: ReadonlySet<number>;
  /** Of what the rows say and which of them stay: saving is tied to the preview by it. */
  previewed: string;
}

interface Comparing extends Pick<Saving, 'into'> {
  signal?: AbortSignal;
}

/** Saves the rows, or only compares them, as the operation does: a row that is saved already is refused. */
export function comparedStrictly(db: Database, checked: Checked, { into, signal }: Comparing): Promise<Saved> {
  return saveRows(db, { ...savingOf(checked, signal), into });
}

/** The same as the page does: what is saved already stays as it is, and the same row twice is refused with the line of the first. */
export async function compared(db: Database, checked: Checked, { into, signal }: Comparing): Promise<Compared> {
  await refuseTwins(checked);
  const stays = new Set<number>();
  const told = await saveRows(db, { ...savingOf(checked, signal), into, stays: (at) => void stays.add(at) });
  return { ...told, stays, previewed: await digestOf(checked, stays) };
}

function savingOf({ rows, lines, refused }: Checked, signal = new AbortController().signal) {
  return {
    rows,
    signal,
    refuse: (fault: Parameters<Saving['refuse']>[0]) =>
      refused.add({ at: fault.at, line: lines[fault.at]!, draft: rows[fault.at]! }, fault),
  };
}

const keyOf = ({ fqdn, type, value }: CheckedRow): string => `${fqdn} ${type} ${value}`;

async function refuseTwins({ rows, lines, refused }: Checked): Promise<void> {
  const seen = new Map<string, number>();
  const turn = inTurns();
  for (const [at, row] of rows.entries()) {
    const others = turn();
    if (others) await others;
    if (row === null) continue;
    const line = seen.get(keyOf(row));
    if (line === undefined) {
      seen.set(keyOf(row), lines[at]!);
      continue;
    }
    const detail = `This record is on line ${line} already.`;
    refused.add({ at, line: lines[at]!, draft: row }, { member: 'fqdn', code: 'already_exists', detail });
    rows[at] = null;
  }
}

async function digestOf({ rows }: Checked, stays: ReadonlySet<number>): Promise<string> {
  const hash = createHash('sha256');
  const turn = inTurns();
  for (const [at, row] of rows.entries()) {
    hash.update(`${JSON.stringify([row && [keyOf(row), row.description, row.enabled], stays.has(at)])}\n`);
    const others = turn();
    if (others) await others;
  }
  return hash.digest('hex');
}
