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

/** One open connection. What it throws has SQLite's primary result code by name as `code`, such as `SQLITE_FULL`. */
export interface DriverConnection {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<PreparedStatement>;
  close(): Promise<void>;
}

export interface Driver {
  name: DriverName;
  open(file: string): Promise<DriverConnection>;
}

/** Names the driver to take; without it the addon is taken where it can be loaded. */
export const DRIVER_VARIABLE = 'GROUNDCREW_SQLITE';
const NAMES: readonly DriverName[] = ['sqlite3', 'node:sqlite'];

let taken: Promise<Driver> | undefined;

/** The driver of this process, chosen once. @throws StartFault when the named one is unknown or can't be loaded. */
export function driver(): Promise<Driver> {
  taken ??= choose(process.env[DRIVER_VARIABLE]?.trim() || null);
  return taken;
}

async function choose(wanted: string | null): Promise<Driver> {
  if (wanted !== null && !NAMES.includes(wanted as DriverName)) {
    throw new StartFault(`${DRIVER_VARIABLE} is ${wanted}; expected ${NAMES.join(' or ')}.`);
  }
  const addon = wanted === 'node:sqlite' ? null : addonDriver();
  if (addon) return addon;
  if (wanted === 'sqlite3') {
    throw new StartFault(
      `${DRIVER_VARIABLE} is sqlite3, which is not installed here. Leave it out to take node:sqlite.`,
    );
  }
  return (await import('./driver-node.ts')).nodeDriver;
}
