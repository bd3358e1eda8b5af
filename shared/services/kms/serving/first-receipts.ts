// The first time that a client certificate is given a key is on the disk before the answer leaves: who may know a key is what
// somebody asks after a theft. Answers that wait for a commit at the same time share the next one.
import type { Store } from '../../../ground/store/store.ts';
import { type Given, recordGiven } from '../keys/receivers.ts';

/** Pairs of key and certificate that are known to be written; beyond, all are looked up again. */
const KNOWN_MOST = 50_000;

export class FirstReceipts {
  readonly #store: Store;
  readonly #known = new Set<string>();
  #gathered: Given[] = [];
  #shared: Promise<void> | null = null;
  #before: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Those that are the first of their key and certificate are written; answers which. @throws Error where they can't be */
  async keep(given: readonly Given[]): Promise<ReadonlySet<Given>> {
    const first: Given[] = [];
    for (const each of given) if (!(await this.#isWritten(each))) first.push(each);
    if (first.length === 0) return new Set();
    this.#gathered.push(...first);
    // What comes until that commit begins is in it.
    this.#shared ??= this.#before.then(() => this.#write());
    await this.#shared;
    for (const each of first) this.#known.add(pairOf(each));
    return new Set(first);
  }

  #write(): Promise<void> {
    const all = this.#gathered;
    this.#gathered = [];
    this.#shared = null;
    const written = this.#store.write(async (tx) => {
      for (const each of all) await recordGiven(tx, each);
    });
    this.#before = written.catch(() => undefined);
    return written;
  }

  async #isWritten(given: Given): Promise<boolean> {
    const pair = pairOf(given);
    if (this.#known.has(pair)) return true;
    const { key_id, sha256 } = given;
    const sql = 'SELECT 1 AS yes FROM kms_receiver WHERE key_id = ? AND sha256 = ?';
    if (!(await this.#store.one(sql, [key_id, sha256]))) return false;
    if (this.#known.size >= KNOWN_MOST) this.#known.clear();
    this.#known.add(pair);
    return true;
  }
}

const pairOf = ({ key_id, sha256 }: Given): string => `${key_id} ${sha256}`;
