// A restore, or a reset, that was asked for as ever is kept in its one transaction, with all its rows written, until the test lets
// it go on.
import type { Store } from '../../shared/ground/store/store.ts';

export interface HeldRestore {
  /** When its transaction has written all. */
  written: Promise<void>;
  /** Lets it commit. */
  goOn(): void;
}

/** The next one that is asked for at this store. */
export function holdRestore(store: Store): HeldRestore {
  const written = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const write = store.write;
  store.write = (work, options) => {
    if (!options?.holds) return write.call(store, work, options) as never;
    store.write = write;
    return write.call(
      store,
      async (tx) => {
        const result = await work(tx);
        written.resolve();
        await over.promise;
        return result;
      },
      options,
    ) as never;
  };
  return { written: written.promise, goOn: () => over.resolve() };
}
