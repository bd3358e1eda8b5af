// The other side of apart.ts: one connection, whose statements run one after the other on this thread.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Asked, Told } from './apart.ts';
import type { Row } from './database.ts';
import { bound, named } from './node-sqlite.ts';

/** Rows in one message. */
const PIECE = 500;
/** Milliseconds that a statement waits for another process's transaction. */
const BUSY_TIMEOUT = 5_000;
const PREPARED = 50;

const { file, settings } = workerData as { file: string; settings: readonly string[] };
const database = named(() => new DatabaseSync(file, { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: false }));
for (const sql of settings) named(() => database.exec(sql));
const statements = new Map<string, StatementSync>();

function prepared(sql: string): StatementSync {
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.delete(sql);
  statements.set(sql, statement);
  if (statements.size > PREPARED) statements.delete(statements.keys().next().value!);
  return statement;
}

const tell = (told: Told): void => parentPort!.postMessage(told);

function answer({ id, kind, sql, parameters }: Asked): void {
  const values = parameters.map(bound);
  if (kind !== 'all') {
    const changes = kind === 'run' ? Number(prepared(sql).run(...values).changes) : 0;
    if (kind === 'exec') database.exec(sql);
    tell({ id, changes });
    return;
  }
  let rows: Row[] = [];
  for (const row of prepared(sql).iterate(...values)) {
    rows.push(row as Row);
    if (rows.length < PIECE) continue;
    tell({ id, rows, done: false });
    rows = [];
  }
  tell({ id, rows, done: true });
}

parentPort!.on('message', (asked: Asked | null) => {
  if (!asked) {
    database.close();
    parentPort!.close();
    return;
  }
  try {
    named(() => answer(asked));
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    tell({ id: asked.id, failure: { message, ...(code !== undefined && { code }) } });
  }
});
