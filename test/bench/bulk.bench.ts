// The import of 100,000 records beside a bare load of the same rows into the same tables: prepared statements of node:sqlite,
// one a row, in one transaction, with the triggers that keep the free addresses and without them. Of the import: what it saves
// takes, and all of it, from the file on the disk to the end of the job; how late the event loop was at worst, and how long another
// writer waited. What counts are the ratios.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { JobRunner } from '../../shared/kernel/jobs/runner.ts';
import { importJob, queueImport } from '../../shared/services/dns-dhcp/dns/import/job.ts';
import type { RowsType } from '../../shared/services/dns-dhcp/dns/import/limits.ts';
import { takeFile } from '../../shared/services/dns-dhcp/dns/import/take.ts';

const ROWS = Number(process.env.BULK_ROWS ?? 100_000);
const ROUNDS = Number(process.env.BULK_ROUNDS ?? 5);
/** Of a bare load without triggers: what the whole job reaches at least. */
const BAR = 0.5;
const NOW = '2026-01-01T00:00:00.000Z';
const COLUMNS = ['id', 'fqdn', 'type', 'value', 'description', 'enabled', 'zone_id', 'created_at', 'updated_at'];

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const ip = (row: number) => `10.${row >> 16}.${(row >> 8) & 255}.${row & 255}`;

async function emptyDatabase(): Promise<string> {
  const data = join(folder, 'empty');
  const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
  await services.store.write((tx) =>
    tx.run('INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)', [
      'zone_a',
      'lab.test',
      NOW,
      NOW,
    ]),
  );
  await services.store.close();
  return join(data, 'groundcrew.sqlite');
}

const rows = Array.from({ length: ROWS }, (_, row) => [
  `rec_${randomBytes(10).toString('hex')}`,
  `host${row}.lab.test`,
  'A',
  ip(row),
  '',
  1,
  'zone_a',
  NOW,
  NOW,
]);

/** Milliseconds. */
function bareLoad(empty: string, triggers: boolean): number {
  const file = join(folder, 'bare.sqlite');
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  copyFileSync(empty, file);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  if (!triggers) {
    const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'dns_record'");
    for (const { name } of found.all()) database.exec(`DROP TRIGGER ${name}`);
  }
  const insert = database.prepare(
    `INSERT INTO dns_record (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  );
  const begun = performance.now();
  database.exec('BEGIN IMMEDIATE');
  for (const row of rows) insert.run(...row);
  database.exec('COMMIT');
  const took = performance.now() - begun;
  database.close();
  return took;
}

const FILES: Record<RowsType, string> = {
  'text/csv': `fqdn,type,value\r\n${rows.map(([, fqdn, type, value]) => `${fqdn},${type},${value}\r\n`).join('')}`,
  'application/json': JSON.stringify(rows.map(([, fqdn, type, value]) => ({ fqdn, type, value }))),
};

interface Imported {
  whole: number;
  saving: number;
  late: number;
  waited: number;
}

async function imported(empty: string, type: RowsType, round: number): Promise<Imported> {
  const data = join(folder, `import-${type.slice(-4)}-${round}`);
  // Its own keys; the database is the empty one with the zone.
  await (await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }))).store.close();
  copyFileSync(empty, join(data, 'groundcrew.sqlite'));
  const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
  const { store } = services;
  const at: Record<string, number> = {};
  let waited = 0;
  services.checkpoint = (step) => {
    at[step] = performance.now();
    if (step !== 'import.owned') return;
    // What is not refused meanwhile, such as a sign-in: it asks once the transaction has begun.
    void pause(20)
      .then(() => store.run('UPDATE unit_state SET digest = digest WHERE unit = ?', ['none']))
      .then(() => {
        waited = performance.now() - at['import.owned']! - 20;
      });
  };
  const { file } = await takeFile(services, Buffer.from(FILES[type]), type);
  const runner = new JobRunner(services, [importJob]);
  const id = await store.write((tx) =>
    queueImport(tx, services, {
      file,
      type,
      check_only: false,
      behalf: { user_id: null, token_id: null },
      by: 'bench',
    }),
  );
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const begun = performance.now();
  await runner.idle();
  const whole = performance.now() - begun;
  loop.disable();
  const job = await findJob(store, id);
  if (job.state !== 'succeeded') throw new Error(JSON.stringify(job.error));
  const [count] = await store.all<{ n: number }>('SELECT count(*) AS n FROM dns_record');
  if (count!.n !== ROWS) throw new Error(`${count!.n} rows are there`);
  await store.close();
  rmSync(data, { recursive: true });
  return { whole, saving: at['import.saved']! - at['import.owned']!, late: loop.max / 1e6, waited };
}

try {
  const empty = await emptyDatabase();
  const bare: number[] = [];
  const kept: number[] = [];
  const jobs: Record<string, Imported[]> = { 'text/csv': [], 'application/json': [] };
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(bareLoad(empty, false));
    kept.push(bareLoad(empty, true));
    for (const type of Object.keys(FILES) as RowsType[]) jobs[type]!.push(await imported(empty, type, round));
  }
  const [plain, full] = [median(bare), median(kept)];
  console.log(`${ROWS} rows, medians of ${ROUNDS}`);
  console.log(`bare load with indexes, without triggers  ${plain.toFixed(0)} ms`);
  console.log(`bare load with indexes and triggers       ${full.toFixed(0)} ms`);
  const ratio = (took: number) =>
    `${(plain / took).toFixed(2)} of it without triggers, ${(full / took).toFixed(2)} with`;
  for (const [type, told] of Object.entries(jobs)) {
    const of = (name: keyof Imported) => median(told.map((each) => each[name]));
    console.log(`${type}: saved in ${of('saving').toFixed(0)} ms (${ratio(of('saving'))})`);
    console.log(`${type}: whole job ${of('whole').toFixed(0)} ms (${ratio(of('whole'))})`);
    console.log(
      `${type}: the event loop was ${of('late').toFixed(0)} ms late at worst; another writer waited ${of('waited').toFixed(0)} ms`,
    );
    const runs = told.map(({ whole }, round) => (bare[round]! / whole).toFixed(2)).join(' ');
    console.log(`${type}: whole job, each run beside the bare load of its round  ${runs}`);
    if (plain / of('whole') < BAR) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
