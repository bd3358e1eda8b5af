// Small writes that come at the same time share a transaction: a sign-in makes several, and each commit waits for the disk. Who
// wrote is told after the commit, as with a transaction of its own.
import type { Transaction } from '../../../ground/store/database.ts';
import type { Store } from '../../../ground/store/store.ts';
import { CONSUMED, type OneStatement, type Write } from './one-statement.ts';

type Work = (tx: Transaction) => Promise<unknown>;

/** Writes of one kind, all at once; answers one value for each. Each may fail alone: then they are written one by one. */
export interface Kind<I, O> {
  write(tx: Transaction, items: readonly I[]): Promise<readonly O[]>;
  /** The same as rows of one statement with those of others, where there is no more to an item; and what it answers then. */
  rows?(item: I): { writes: readonly Write[]; answer: O };
}

interface Waiting {
  kind: Kind<unknown, unknown>;
  item: unknown;
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** Works have nothing in common: one after the other. */
const inTurn: Kind<Work, unknown> = {
  async write(tx, works) {
    const written: unknown[] = [];
    for (const work of works) written.push(await work(tx));
    return written;
  },
};

/** Of each kind all at once; `values` gets what each is answered. */
async function writeKinds(tx: Transaction, group: readonly Waiting[], values: Map<Waiting, unknown>): Promise<void> {
  for (const kind of new Set([inTurn as Kind<unknown, unknown>, ...group.map(({ kind }) => kind)])) {
    const same = group.filter((each) => each.kind === kind);
    if (same.length === 0) continue;
    const items = same.map(({ item }) => item);
    const answers = await kind.write(tx, items);
    for (const [at, each] of same.entries()) values.set(each, answers[at]);
  }
}

/** Writes in one transaction, at most: other writers of the appliance wait for it. */
const TOGETHER = 32;

export class GroupCommit {
  readonly #store: Pick<Store, 'write'>;
  readonly #one: Pick<OneStatement, 'write'> | null;
  readonly #report: (error: Error) => void;
  /** Given to `later`: they wait for those who wait. */
  #behind: Waiting[] = [];
  #due: NodeJS.Timeout | undefined;
  #overdue = false;
  #waiting: Waiting[] = [];
  #runs = false;

  /**
   * `one`: what groups are written by that are rows and nothing else. `report` hears why it could not: they are written one by
   * one then, which nobody would notice but by the time that it takes.
   */
  constructor(
    store: Pick<Store, 'write'>,
    one: Pick<OneStatement, 'write'> | null = null,
    report: (error: Error) => void = () => undefined,
  ) {
    this.#store = store;
    this.#one = one;
    this.#report = report;
  }

  /** One after the other, each seeing what those before it wrote. Where one of them fails, each has a transaction of its own. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#wait(inTurn as Kind<unknown, unknown>, work) as Promise<T>;
  }

  /**
   * Together with all others of its kind, in the order in which they came and after what `write` was given. Nobody in a group knows
   * yet of what another one writes, so the order of kinds is as good as any.
   */
  add<I, O>(kind: Kind<I, O>, item: I): Promise<O> {
    return this.#wait(kind as Kind<unknown, unknown>, item) as Promise<O>;
  }

  /**
   * As `add`, for what nobody waits for: it is written with what comes next, and before it, or by itself after so many
   * milliseconds. What a crash takes away until then must be no loss.
   */
  later<I, O>(kind: Kind<I, O>, item: I, milliseconds: number): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#behind.push({ kind: kind as Kind<unknown, unknown>, item, resolve, reject });
      this.#due ??= setTimeout(() => {
        this.#overdue = true;
        this.#begin();
      }, milliseconds).unref();
    });
  }

  /** When all that was given so far is written or was refused, what was put off too: for whoever stops. */
  async settled(): Promise<void> {
    if (this.#runs || this.#behind.length > 0) await this.write(async () => undefined).catch(() => undefined);
  }

  #wait(kind: Kind<unknown, unknown>, item: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, item, resolve, reject });
      if (this.#runs) return;
      if (kind === inTurn) return this.#begin();
      this.#runs = true;
      // After what this turn of the event loop still brings: a request goes on to its next write.
      setImmediate(() => void this.#run());
    });
  }

  #begin(): void {
    if (this.#runs) return;
    this.#runs = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 || this.#overdue) {
      const behind = this.#behind.splice(0);
      const group = this.#waiting.splice(0, TOGETHER);
      clearTimeout(this.#due);
      this.#due = undefined;
      this.#overdue = false;
      const all = [...behind, ...group];
      const written =
        this.#one !== null && all.every(({ kind }) => kind.rows) ? this.#asRows(all) : this.#commit([behind, group]);
      await written.catch(async () => {
        for (const each of all) await this.#alone(each);
      });
    }
    this.#runs = false;
  }

  /** One after the other: what was put off may be known by now to who is in the second one. */
  async #commit(groups: readonly (readonly Waiting[])[]): Promise<void> {
    const written = await this.#store.write(async (tx) => {
      const values = new Map<Waiting, unknown>();
      for (const group of groups) await writeKinds(tx, group, values);
      return values;
    });
    for (const [{ resolve }, value] of written) resolve(value as never);
  }

  async #asRows(group: readonly Waiting[]): Promise<void> {
    const rows = group.map(({ kind, item }) => kind.rows!(item));
    try {
      await this.#one!.write(rows.flatMap(({ writes }) => writes));
    } catch (error) {
      if (!(error as Error).message.includes(CONSUMED)) this.#report(error as Error);
      throw error;
    }
    for (const [at, { resolve }] of group.entries()) resolve(rows[at]!.answer as never);
  }

  #alone({ kind, item, resolve, reject }: Waiting): Promise<void> {
    return this.#store
      .write(async (tx) => (await kind.write(tx, [item]))[0])
      .then((value) => resolve(value as never), reject);
  }
}

const groups = new WeakMap<object, GroupCommit>();

/** Of each store one: a provider that is made anew finds what the one before it has not written yet. */
export function groupCommitOf(store: object, make: () => GroupCommit): GroupCommit {
  const writes = groups.get(store) ?? make();
  groups.set(store, writes);
  return writes;
}

/** Before a store is closed: a code that was just given out is worth something after the start. */
export const groupCommitSettled = async (store: object): Promise<void> => groups.get(store)?.settled();
