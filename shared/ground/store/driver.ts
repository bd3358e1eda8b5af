// The two SQLite drivers that the store runs on, and which of them this process takes: Node's own `node:sqlite`, which needs
// nothing and works on the event loop as long as it is short, or the `sqlite3` addon, which works beside it and needs a compiled
// file. Never both in one process: see apart.ts.
import type { Row, SqlValue } from './database.ts';
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

/** `apart`: for statements that take long, such as a copy of the whole database; nobody waits for them. */
export type Purpose = 'reader' | 'writer' | 'apart';

export interface Driver {
  name: DriverName;
  /** Its short statements hold the event loop, so that nothing which takes long may be among them. */
  onLoop: boolean;
  /** Default: a writer. */
  open(file: string, purpose?: Purpose): Promise<DriverConnection>;
}

const NAMES: readonly DriverName[] = ['sqlite3', 'node:sqlite'];

let wanted: DriverName | null = null;
let taken: Promise<Driver> | undefined;

/** Chooses the driver of this process, before a database is opened. Default: Node's own where Node has it. */
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
  const own = wanted === 'sqlite3' ? null : await import('./driver-node.ts').catch(() => null);
  if (own) return own.nodeDriver;
  const addon = (await import('./driver-addon.ts')).addonDriver();
  if (addon) return addon;
  throw new StartFault(
    wanted === 'sqlite3'
      ? 'GROUNDCREW_SQLITE is sqlite3, which is not installed here. Leave it out to take node:sqlite.'
      : 'This Node has no node:sqlite, and the package sqlite3 is not installed here. Take Node 22.13 or newer.',
  );
}
