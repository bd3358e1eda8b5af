// Saves checked rows, all or none, in one transaction beside the event loop: what is saved is read and compared in slices, then
// all rows go in, as lists of JSON, which cost SQLite half of what as many single statements do.
import { createHash } from 'node:crypto';
import { type Entropy, newIds } from '../../../../ground/clock.ts';
import type { Database, Transaction } from '../../../../ground/store/database.ts';
import { inTurns } from '../../../../ground/turns.ts';
import type { RecordData } from '../record-data.ts';
import { Judging, type RecordFault, readStanding } from '../record-standing.ts';

export interface CheckedRow extends RecordData {
  description: string;
  enabled: boolean;
}

/** Rows that one statement looks up, and one saves. */
const SLICE = 1_000;
/** Names of zones that are told; the others are counted. */
const NAMED = 20;

const COLUMNS = ['id', 'fqdn', 'type', 'value', 'description', 'enabled', 'zone_id', 'created_at', 'updated_at'];
const INSERT = `INSERT INTO dns_record (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?)`;

export interface Saving {
  /** Null: one that is refused for itself. */
  rows: readonly (CheckedRow | null)[];
  signal: AbortSignal;
  /**
   * Is told every fault, in the order of the rows but for circles of aliases, which only the last row can show. Rows may have
   * been saved by then: who was told one takes all of it back.
   */
  refuse(fault: RecordFault): void;
  /** Null: nothing is saved. */
  into: { tx: Transaction; entropy: Entropy; now: string } | null;
}

export interface Saved {
  /** Names of zones that rows go to, at most NAMED of them. */
  zones: string[];
  /** SHA-256 over the canonical rows in their order, one line each. */
  sha256: string;
}

/**
 * Each row against what is saved and the rows before it, and then into the database. While a slice is saved beside the event loop,
 * the next one is compared.
 */
export async function saveRows(db: Database, { rows, signal, refuse, into }: Saving): Promise<Saved> {
  const turn = inTurns();
  const judging = new Judging();
  const hash = createHash('sha256');
  const zone_ids = new Set<string>();
  const sliceFrom = (from: number) => rows.slice(from, from + SLICE);
  const read = (from: number) =>
    settledLater(
      readStanding(
        db,
        sliceFrom(from).filter((row) => row !== null),
      ),
    );
  let refused = rows.includes(null);
  let saving: Promise<unknown> = Promise.resolve();
  let next = read(0);
  for (let from = 0; from < rows.length; from += SLICE) {
    judging.know(await next);
    signal.throwIfAborted();
    // Asked before this slice is saved, so that it need not wait for that.
    if (from + SLICE < rows.length) next = read(from + SLICE);
    const sound: Sound[] = [];
    for (const [index, row] of sliceFrom(from).entries()) {
      const verdict = judging.take(row, from + index);
      if ('faults' in verdict) {
        refused ||= verdict.faults.length > 0;
        for (const fault of verdict.faults) refuse(fault);
      } else {
        zone_ids.add(verdict.zone_id);
        sound.push({ row: row!, ...verdict });
      }
      await turn();
    }
    hash.update(sound.map(({ row: { fqdn, type, value } }) => `${fqdn} ${type} ${value}\n`).join(''));
    await saving;
    if (into && !refused) saving = settledLater(into.tx.run(INSERT, [listOf(sound, into)]));
  }
  await saving;
  const circling = judging.circling();
  for (const [index, row] of rows.entries()) for (const fault of circling(row, index)?.faults ?? []) refuse(fault);
  const zones = [...judging.zones].filter(([, id]) => zone_ids.has(id)).map(([name]) => name);
  return { zones: zones.sort().slice(0, NAMED), sha256: hash.digest('hex') };
}

interface Sound {
  row: CheckedRow;
  zone_id: string;
}

function listOf(sound: readonly Sound[], { entropy, now }: NonNullable<Saving['into']>): string {
  const ids = newIds('rec', sound.length, entropy);
  return JSON.stringify(
    sound.map(({ row: { fqdn, type, value, description, enabled }, zone_id }, at) => {
      return [ids[at], fqdn, type, value, description, enabled ? 1 : 0, zone_id, now, now];
    }),
  );
}

/** It is awaited a while after it was begun: until then a failure must not count as one that nobody sees. */
function settledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
