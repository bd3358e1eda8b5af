// A connection of Node's own SQLite on a thread of its own: what may take long holds nobody up there. The thread begins with
// the first statement and ends a while after the last one, for it takes memory.
//
// Both threads run the same SQLite, which knows all connections of its process. Another copy of the library, as in an addon,
// would not, and locks on files do not keep two of one process apart: that is how databases are damaged.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { companion } from '../machine/companion.ts';
import type { Row, SqlValue } from './database.ts';
import type { DriverConnection } from './driver.ts';
import { noteWrite } from './remembered-reads.ts';

/** Milliseconds after the last statement until the thread ends. */
const IDLE = 20_000;

export interface Asked {
  id: number;
  kind: 'all' | 'run' | 'exec';
  sql: string;
  parameters: readonly SqlValue[];
}

/** Rows come in pieces, the last one with `done`: taking many at once would hold up the thread that asked. */
export type Told =
  | { id: number; rows: Row[]; done: boolean }
  | { id: number; changes: number }
  | { id: number; failure: { message: string; code?: string } };

interface Waiting {
  worker: Worker;
  rows: Row[];
  resolve(told: { rows: Row[]; changes: number }): void;
  reject(error: Error): void;
}

const PROGRAM = companion('apart-worker', import.meta.url);

/** Whether the thread's program is there: an operation that is deployed alone comes without, and works on its event loop. */
export const canWorkApart: boolean = existsSync(PROGRAM);

export class Apart implements DriverConnection {
  readonly #file: string;
  readonly #idleMs: number;
  /** What each new thread runs first: the settings of the connection. */
  readonly #settings: string[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 0;
  /** Within a transaction it does not end, however long the next statement takes to come: the rest would stand for itself. */
  #transaction = false;
  #idle: NodeJS.Timeout | undefined;
  #ending: Promise<unknown> | undefined;
  #closed = false;

  constructor(file: string, idleMs = IDLE) {
    this.#file = file;
    this.#idleMs = idleMs;
  }

  /** A setting of the connection (PRAGMA), or any statement without rows. */
  async exec(sql: string): Promise<void> {
    if (/^PRAGMA\b[^;]*=/i.test(sql)) this.#settings.push(sql);
    await this.#ask('exec', sql, []);
  }

  /** A setting for when the thread begins: it does not begin it. */
  set(sql: string): void {
    this.#settings.push(sql);
  }

  async prepare(sql: string) {
    return {
      all: async (parameters: readonly SqlValue[]) => (await this.#ask('all', sql, parameters)).rows,
      run: async (parameters: readonly SqlValue[]) => (await this.#ask('run', sql, parameters)).changes,
      finalize: () => undefined, // the thread keeps the statements that it prepared last
    };
  }

  /** What was asked before is answered; what is asked later is refused: it would open the file again. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#end();
    await this.#ending;
  }

  #ask(kind: Asked['kind'], sql: string, parameters: readonly SqlValue[]): Promise<{ rows: Row[]; changes: number }> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error('the connection of the database is closed');
      const id = this.#next++;
      clearTimeout(this.#idle);
      if (!this.#worker && this.#transaction && kind !== 'exec' && !/^BEGIN\b/.test(sql)) {
        this.#transaction = false;
        throw new Error('the thread of the database ended within a transaction');
      }
      this.#transaction = transactionAfter(sql, this.#transaction);
      const worker = this.#begun();
      try {
        worker.postMessage({ id, kind, sql, parameters } satisfies Asked);
        this.#waiting.set(id, { worker, rows: [], resolve, reject });
        worker.ref();
      } finally {
        this.#rest();
      }
    });
  }

  #begun(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(PROGRAM, { workerData: { file: this.#file, settings: this.#settings }, execArgv: [] });
    this.#worker = worker;
    worker.on('message', (told: Told) => this.#told(told));
    worker.on('error', (error: Error) => this.#gone(worker, error));
    worker.on('exit', () => this.#gone(worker, new Error('the thread of the database ended')));
    return worker;
  }

  #told(told: Told): void {
    const waiting = this.#waiting.get(told.id);
    if (!waiting) return;
    if ('rows' in told) {
      for (const row of told.rows) waiting.rows.push(row);
      if (!told.done) return;
    }
    this.#waiting.delete(told.id);
    if (!('rows' in told)) noteWrite();
    if ('failure' in told) {
      const { message, code } = told.failure;
      waiting.reject(Object.assign(new Error(message), code !== undefined && { code }));
    } else waiting.resolve({ rows: waiting.rows, changes: 'changes' in told ? told.changes : 0 });
    this.#rest();
  }

  /** Nobody waits for the thread: it keeps no process going, and ends in a while. */
  #rest(): void {
    if (this.#waiting.size > 0 || this.#closed) return;
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#transaction) return;
    this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref();
  }

  /** The thread closes its connection itself: one that is cut off would leave its locks to the process. */
  #end(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    worker.ref();
    this.#ending = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage(null);
  }

  #gone(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    noteWrite(); // It may have committed what it did not tell of any more.
    // Also of one that was told to end: it ends when it has answered.
    for (const [id, waiting] of this.#waiting) {
      if (waiting.worker !== worker) continue;
      this.#waiting.delete(id);
      waiting.reject(error);
    }
  }
}

const transactionAfter = (sql: string, within: boolean): boolean =>
  /^BEGIN\b/.test(sql) || (within && !/^(?:COMMIT|ROLLBACK)$/.test(sql));
