// Whether the database can be read: for load balancers and monitors.
import type { Database } from './database.ts';

/** One small read of the file itself, not only of the connection. Never throws. */
export async function databaseAnswers(database: Database): Promise<boolean> {
  try {
    return (await database.one('SELECT name FROM sqlite_schema LIMIT 1')) !== undefined;
  } catch {
    return false; // why it can't be read is in the log of whoever needed the data, not in a public answer
  }
}
