// Saves checked rows, all or none, in one transaction beside the event loop: what is saved is read and compared in slices, then
// all rows go in, as lists of JSON, which cost SQLite half of what as many single statements do.
import { createHash } from 'node:crypto';
import { ascendingIds, type Entropy } from '../../../../ground/clock.ts';
import type { Database, Transaction } from '../../../../ground/store/database.ts';
import { inTurns } from '../../../../ground/turns.ts';
import type { RecordData } from '../record-data.ts';
import {
  type Judged,
  Judging,
  type RecordFault,
  readAllStanding,
  readStanding,
  type Standing,
} from '../record-standing.ts';

export interface CheckedRow extends RecordData {
  description: string;
  enabled: boolean;
}

/** Rows that one statement looks up, and one saves. */
const SLICE = 1_000;
/** Saved records that are read in one go, rather than looked up by the names of the rows. */
const SAVED_FEW = 10_000;
/** Names of zones that are told; the others are counted. */
const NAMED = 20;

const COLUMNS = ['id', 'fqdn', 'type', 'value', 'description', 'enabled', 'zone_id'];
const INSERT = `INSERT INTO dns_record (${COLUMNS.join(', ')}, created_at, updated_at)
  SELECT ${COLUMNS.map((_, at) => `value ->> ${at}`).join(', ')}, ?2, ?2 FROM json_each(?1)`;

export interface Saving {
  /** Null: one that is refused for itself. */
  rows: readonly (CheckedRow | null)[];
  signal: AbortSignal;
  /**
   * Is told every fault, in the order of the rows but for circles of aliases, which only the last row can show. Rows may have
   * been saved by then: who was told one takes all of it back.
   */
  refuse(fault: RecordFault): void;
  /** Is told the rows that are saved already, which stay as they are; without it they are refused. */
  stays?(index: number): void;
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
 * Each row against what is saved and the rows before it, and then into the database. While slices are saved beside the event loop,
 * the next one is compared.
 */
export async function saveRows(db: Database, { rows, signal, refuse, stays, into }: Saving): Promise<Saved> {
  const turn = inTurns();
  const judging = new Judging();
  const hash = createHash('sha256');
  const zone_ids = new Set<string>();
  const ids = into && ascendingIds('rec', rows.length, into.entropy);
  const standing = await standingFor(db, rows);
  const saving = new Ahead();
  let refused = rows.includes(null);
  for (let from = 0; from < rows.length; from += SLICE) {
    const known = await standing(from);
    if (known) judging.know(known);
    signal.throwIfAborted();
    const sound: Sound[] = [];
    for (const [index, row] of rows.slice(from, from + SLICE).entries()) {
      const verdict = judging.take(row, from + index);
      if (stays && isSaved(verdict)) {
        stays(from + index);
      } else if ('faults' in verdict) {
        refused ||= verdict.faults.length > 0;
        for (const fault of verdict.faults) refuse(fault);
      } else {
        zone_ids.add(verdict.zone_id);
        sound.push({ row: row!, zone_id: verdict.zone_id });
      }
      const others = turn();
      if (others) await others;
    }
    hash.update(sound.map(({ row: { fqdn, type, value } }) => `${fqdn} ${type} ${value}\n`).join(''));
    if (!into || refused) continue;
    const list = listOf(sound, ids!(sound.length));
    await saving.room();
    saving.began(into.tx.run(INSERT, [list, into.now]));
  }
  await saving.over();
  const circling = judging.circling();
  for (const [index, row] of rows.entries()) for (const fault of circling(row, index)?.faults ?? []) refuse(fault);
  const zones = [...judging.zones].filter(([, id]) => zone_ids.has(id)).map(([name]) => name);
  return { zones: zones.sort().slice(0, NAMED), sha256: hash.digest('hex') };
}

const isSaved = (verdict: Judged): boolean =>
  'faults' in verdict && verdict.faults.length === 1 && verdict.faults[0]!.code === 'already_exists';

/** Slices that are being saved: the next one waits at the database already when one is done, and no more of them take memory. */
class Ahead {
  #last: Promise<unknown> = Promise.resolve();
  #before: Promise<unknown> = Promise.resolve();

  /** @throws whatever one of them failed for */
  async room(): Promise<void> {
    await this.#before;
  }

  began(saving: Promise<unknown>): void {
    this.#before = this.#last;
    this.#last = settledLater(saving);
  }

  async over(): Promise<void> {
    await this.#before;
    await this.#last;
  }
}

/**
 * What is saved, as far as it matters to the slice that begins at a place: all of it before the first one where it is little, or
 * else what is saved of its names, asked for before the slice before it is saved.
 */
async function standingFor(db: Database, rows: Saving['rows']): Promise<(from: number) => Promise<Standing | null>> {
  const all = await readAllStanding(db, SAVED_FEW);
  if (all) return async (from) => (from === 0 ? all : null);
  const read = (from: number) =>
    settledLater(
      readStanding(
        db,
        rows.slice(from, from + SLICE).filter((row) => row !== null),
      ),
    );
  let next = read(0);
  return async (from) => {
    const standing = await next;
    if (from + SLICE < rows.length) next = read(from + SLICE);
    return standing;
  };
}

interface Sound {
  row: CheckedRow;
  zone_id: string;
}

function listOf(sound: readonly Sound[], ids: readonly string[]): string {
  return JSON.stringify(
    sound.map(({ row: { fqdn, type, value, description, enabled }, zone_id }, at) => {
      return [ids[at], fqdn, type, value, description, enabled ? 1 : 0, zone_id];
    }),
  );
}

/** It is awaited a while after it was begun: until then a failure must not count as one that nobody sees. */
function settledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
