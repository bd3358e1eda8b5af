// Whether the database can be read, and still takes writes: for load balancers and monitors.
import type { Store } from './store.ts';

/** One small read of the file itself, not only of the connection; and whether all that was written reached the disk. Never throws. */
export async function databaseAnswers(store: Pick<Store, 'one' | 'requireWhole'>): Promise<boolean> {
  try {
    store.requireWhole();
    return (await store.one('SELECT name FROM sqlite_schema LIMIT 1')) !== undefined;
  } catch {
    return false; // why it can't be read is in the log of whoever needed the data, not in a public answer
  }
}
