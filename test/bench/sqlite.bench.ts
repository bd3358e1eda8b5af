// The two SQLite drivers that the store runs on, side by side in one run: reads of one row, reads of a thousand, small
// transactions that reach the disk, and how long the event loop is held up by a long statement. What counts are the ratios.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Driver, DriverConnection } from '../../shared/ground/store/driver.ts';
import { addonDriver } from '../../shared/ground/store/driver-addon.ts';
import { nodeDriver } from '../../shared/ground/store/driver-node.ts';

const ROUNDS = 5;
const ROWS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));

interface Kind {
  says: string;
  /** Operations in one round. */
  count: number;
  run(connections: Opened): Promise<void>;
}

const KINDS: readonly Kind[] = [
  {
    says: 'one row by its key',
    count: 5_000,
    run: ({ reader }) => times(reader, 'SELECT * FROM record WHERE id = ?', 5_000),
  },
  {
    says: '16 of them at once',
    count: 5_008,
    run: ({ reader }) => times(reader, 'SELECT * FROM record WHERE id = ?', 5_008, 16),
  },
  {
    says: 'a list of 1,000 rows',
    count: 50,
    run: ({ reader }) => times(reader, 'SELECT * FROM record WHERE id >= ? LIMIT 1000', 50),
  },
  { says: 'a transaction of one row', count: 200, run: transactions },
];

async function times(connection: DriverConnection, sql: string, count: number, beside = 1): Promise<void> {
  const statement = await connection.prepare(sql);
  for (let at = 0; at < count; at += beside)
    await Promise.all(Array.from({ length: beside }, (_, more) => statement.all([((at + more) * 7919) % ROWS])));
  statement.finalize();
}

async function transactions({ writer: connection }: Opened): Promise<void> {
  const statement = await connection.prepare('UPDATE record SET value = value + 1 WHERE id = ?');
  for (let at = 0; at < 200; at++) {
    await connection.exec('BEGIN IMMEDIATE');
    await statement.run([at]);
    await connection.exec('COMMIT');
  }
  statement.finalize();
}

/** Milliseconds that a timer of one millisecond was late at worst while a long statement ran. */
async function heldUp({ reader: connection }: Opened): Promise<number> {
  const statement = await connection.prepare(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT sum(i) AS s FROM n',
  );
  let worst = 0;
  let over = false;
  const watching = (async () => {
    for (let before = performance.now(); !over; before = performance.now()) {
      await setTimeout(1);
      worst = Math.max(worst, performance.now() - before - 1);
    }
  })();
  await setTimeout(20);
  await statement.all([]);
  over = true;
  await watching;
  statement.finalize();
  return worst;
}

interface Opened {
  reader: DriverConnection;
  writer: DriverConnection;
}

async function opened({ name, open }: Driver): Promise<Opened> {
  const file = join(folder, `${name.replace(':', '-')}.sqlite`);
  const connection = await open(file, 'writer');
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) await connection.exec(`PRAGMA ${pragma}`);
  await connection.exec(
    'CREATE TABLE record (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value INTEGER NOT NULL) STRICT',
  );
  await connection.exec(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})
     INSERT INTO record SELECT i, 'host' || i || '.lab.example', i FROM n`,
  );
  return { writer: connection, reader: await open(file, 'reader') };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function main(): Promise<void> {
  const addon = addonDriver();
  if (!addon) return console.log('the sqlite3 addon is not installed here: nothing to compare');
  const [first, second] = [await opened(addon), await opened(nodeDriver)];
  for (const { says, count, run } of KINDS) {
    const rates: [number, number][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const each: number[] = [];
      for (const connections of [first, second]) {
        const since = performance.now();
        await run(connections);
        each.push((count / (performance.now() - since)) * 1000);
      }
      rates.push(each as [number, number]);
    }
    const [one, other] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))];
    const ratio = median(rates.map(([a, b]) => b / a));
    console.log(
      `${says.padEnd(26)} sqlite3 ${one.toFixed(0).padStart(7)}/s   node:sqlite ${other.toFixed(0).padStart(7)}/s   ${ratio.toFixed(2)} x`,
    );
  }
  console.log(
    `a long statement holds all others up for: sqlite3 ${(await heldUp(first)).toFixed(0)} ms, node:sqlite ${(await heldUp(second)).toFixed(0)} ms`,
  );
  for (const { reader, writer } of [first, second]) await Promise.all([reader.close(), writer.close()]);
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
