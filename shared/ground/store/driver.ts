// The two SQLite drivers that the store runs on, and which of them this process takes: the `sqlite3` addon, which works
// beside the event loop and needs a compiled file, or Node's own `node:sqlite`, which needs nothing and works on it.
import type { Row, SqlValue } from './database.ts';
import { addonDriver } from './driver-addon.ts';
import { StartFault } from './start-fault.ts';

export type DriverName = 'sqlite3' | 'node:sqlite';

export interface PreparedStatement {
  all(parameters: readonly SqlValue[]): Promise<Row[]>;
  /** Answers the number of changed rows. */
  run(parameters: readonly SqlValue[]): Promise<number>;
  finalize(): void;
}

/** One open connection. Its errors have the name of SQLite's primary result code as `code`, such as `SQLITE_FULL`. */
export interface DriverConnection {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<PreparedStatement>;
  close(): Promise<void>;
}

export interface Driver {
  name: DriverName;
  open(file: string): Promise<DriverConnection>;
}

const NAMES: readonly DriverName[] = ['sqlite3', 'node:sqlite'];

let wanted: DriverName | null = null;
let taken: Promise<Driver> | undefined;

/** Chooses the driver of this process, before a database is opened. Default: the addon where it can be loaded. */
export function preferDriver(name: string | null): void {
  if (name !== null && !NAMES.includes(name as DriverName)) {
    throw new StartFault(`GROUNDCREW_SQLITE is ${name}; expected ${NAMES.join(' or ')}.`);
  }
  wanted = name as DriverName | null;
}

/** The driver of this process, chosen once. @throws StartFault when the preferred one can't be loaded. */
export function driver(): Promise<Driver> {
  taken ??= choose();
  return taken;
}

async function choose(): Promise<Driver> {
  const addon = wanted === 'node:sqlite' ? null : addonDriver();
  if (addon) return addon;
  if (wanted === 'sqlite3') {
    throw new StartFault(
      'GROUNDCREW_SQLITE is sqlite3, which is not installed here. Leave it out to take node:sqlite.',
    );
  }
  return (await import('./driver-node.ts')).nodeDriver;
}
