// Small writes that come at the same time share a transaction: a sign-in makes several, and each commit waits for the disk. Who
// wrote is told after the commit, as with a transaction of its own.
import type { Transaction } from '../../../ground/store/database.ts';
import type { Store } from '../../../ground/store/store.ts';

type Work = (tx: Transaction) => Promise<unknown>;
interface Waiting {
  work: Work;
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** Writes in one transaction, at most: other writers of the appliance wait for it. */
const TOGETHER = 32;

export class GroupCommit {
  readonly #store: Pick<Store, 'write'>;
  #waiting: Waiting[] = [];
  #runs = false;

  constructor(store: Pick<Store, 'write'>) {
    this.#store = store;
  }

  /** One after the other, each seeing what those before it wrote. Where one of them fails, each has a transaction of its own. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject });
      if (!this.#runs) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#runs = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, TOGETHER);
      await this.#commit(group).catch(async () => {
        for (const each of group) await this.#alone(each);
      });
    }
    this.#runs = false;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const written: unknown[] = [];
    await this.#store.write(async (tx) => {
      for (const { work } of group) written.push(await work(tx));
    });
    for (const [at, { resolve }] of group.entries()) resolve(written[at] as never);
  }

  #alone({ work, resolve, reject }: Waiting): Promise<void> {
    return this.#store.write(work).then((value) => resolve(value as never), reject);
  }
}
