// A copy of the database that nobody writes to, for as long as an archive is made of it: requests go on meanwhile. It lies in
// a folder of mode 0700 and is removed whatever happens; what is sealed is sealed in it too.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '../../ground/store/connection.ts';
import type { Database } from '../../ground/store/database.ts';
import { DATABASE_FILE } from '../../ground/store/open-store.ts';
import { Store } from '../../ground/store/store.ts';
import { makeScratch } from './scratch.ts';

/** Hands the copy to `work`, and is over when that is. */
export async function* withCopy<T>(
  { file: of }: Store,
  folder: string,
  work: (copy: Database) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const scratch = await makeScratch(folder);
  try {
    const file = join(scratch, DATABASE_FILE);
    await copyOf(of, file);
    const copy = await Store.open(file);
    try {
      yield* work(copy);
    } finally {
      await copy.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** On a connection of its own: those of the store go on, and those that only read may not write a file either. */
async function copyOf(of: string, into: string): Promise<void> {
  const connection = await Connection.open(of, 'apart');
  try {
    await connection.run('VACUUM INTO ?', [into]);
  } finally {
    await connection.close();
  }
}
