// Saves checked rows, all or none, in one transaction beside the event loop: what is saved is read and compared in slices, then
// all rows go in, as lists of JSON, which cost SQLite half of what as many single statements do.
import { createHash } from 'node:crypto';
import { type Entropy, newId } from '../../../../ground/clock.ts';
import type { Database, Transaction } from '../../../../ground/store/database.ts';
import { inTurns } from '../../../../ground/turns.ts';
import type { RecordData } from '../record-data.ts';
import { Judging, type RecordFault, readStanding } from '../record-standing.ts';

export interface CheckedRow extends RecordData {
  description: string;
  enabled: boolean;
}

/** Names that one statement looks up. */
const LOOKED_UP = 1_000;
/** Rows that one statement saves. */
const SAVED = 1_000;
/** Names of zones that are told; the others are counted. */
const NAMED = 20;

const COLUMNS = ['id', 'fqdn', 'type', 'value', 'description', 'enabled', 'zone_id', 'created_at', 'updated_at'];
const INSERT = `INSERT INTO dns_record (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?)`;

export interface Judgement {
  /** Of each row. */
  zone_ids: string[];
  /** Names of zones that rows go to, at most NAMED of them. */
  zones: string[];
}

/**
 * Each row against what is saved and the rows before it. `refuse` is told every fault, in the order of the rows but for
 * circles of aliases, which only the last row can show.
 */
export async function judgeRows(
  db: Database,
  rows: readonly (CheckedRow | null)[],
  signal: AbortSignal,
  refuse: (fault: RecordFault) => void,
): Promise<Judgement> {
  const turn = inTurns();
  const judging = new Judging();
  const zone_ids: string[] = [];
  for (let from = 0; from < rows.length; from += LOOKED_UP) {
    signal.throwIfAborted();
    const slice = rows.slice(from, from + LOOKED_UP);
    judging.know(
      await readStanding(
        db,
        slice.filter((row) => row !== null),
      ),
    );
    for (const [index, row] of slice.entries()) {
      const verdict = judging.take(row, from + index);
      zone_ids.push('zone_id' in verdict ? verdict.zone_id : '');
      if ('faults' in verdict) for (const fault of verdict.faults) refuse(fault);
      await turn();
    }
  }
  const circling = judging.circling();
  for (const [index, row] of rows.entries()) {
    for (const fault of circling(row, index)?.faults ?? []) refuse(fault);
  }
  const ids = new Set(zone_ids);
  const zones = [...judging.zones].filter(([, id]) => ids.has(id)).map(([name]) => name);
  return { zone_ids, zones: zones.sort().slice(0, NAMED) };
}

interface Insert {
  rows: readonly CheckedRow[];
  /** Of each row. */
  zone_ids: readonly string[];
  now: string;
  signal: AbortSignal;
}

/** Every row, in the order given. Rows that fit into one statement are made while the one before it is carried out. */
export async function insertRows(
  tx: Transaction,
  entropy: Entropy,
  { rows, zone_ids, now, signal }: Insert,
): Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < rows.length; from += SAVED) {
    signal.throwIfAborted();
    const list = JSON.stringify(
      rows.slice(from, from + SAVED).map(({ fqdn, type, value, description, enabled }, index) => {
        const zone = zone_ids[from + index]!;
        return [newId('rec', entropy), fqdn, type, value, description, enabled ? 1 : 0, zone, now, now];
      }),
    );
    await before;
    before = tx.run(INSERT, [list]);
    // Awaited in the next round: it must not count as unhandled until then.
    before.catch(() => undefined);
  }
  await before;
}

/** SHA-256 over the canonical rows in their order, one line each. */
export async function digestOfRows(rows: readonly CheckedRow[]): Promise<string> {
  const turn = inTurns();
  const hash = createHash('sha256');
  for (const { fqdn, type, value } of rows) {
    hash.update(`${fqdn} ${type} ${value}\n`);
    await turn();
  }
  return hash.digest('hex');
}
