// One measurement of the archive benchmark in a process of its own, so that its peak of memory is its own. Arguments: data
// folder, what to do, number of records. Prints one line of JSON.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { bringForward } from '../../shared/appliance/archive/bring-forward.ts';
import { withCopy } from '../../shared/appliance/archive/copy.ts';
import { exportArchive } from '../../shared/appliance/archive/export.ts';
import { archiveFolder } from '../../shared/appliance/archive/kept.ts';
import { rehearse, restoreState } from '../../shared/appliance/archive/restore.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { Store } from '../../shared/ground/store/store.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { LINKS } from '../setup/house.ts';

const [data = '', what = '', count = '0'] = process.argv.slice(2);
const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
const { store, settings } = services;
const file = join(data, '../bench.gcarchive');
const AT = '2026-01-01T00:00:00.000Z';

/** As rows, since the API would take its time; a hundred zones, so that no page is of one. */
async function sow(): Promise<void> {
  await store.write(async (tx) => {
    await refreshInterfaces(tx, services, LINKS);
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
       INSERT INTO dns_zone (id, name, created_at, updated_at)
       SELECT printf('zone_%06d', i), 'z' || i || '.example', '${AT}', '${AT}' FROM n`,
    );
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
       INSERT INTO dns_record (id, zone_id, fqdn, type, value, created_at, updated_at)
       SELECT printf('rec_%08d', i), printf('zone_%06d', i % 100), 'h' || i || '.z' || (i % 100) || '.example', 'A',
         printf('10.%d.%d.%d', i / 65536, i / 256 % 256, i % 256), '${AT}', '${AT}' FROM n`,
      [Number(count)],
    );
  });
}

async function write(): Promise<void> {
  const about = { program: '0.0.0-bench', host_name: 'gc01', created_at: AT, created_by: 'bench' };
  const made = withCopy(store, archiveFolder(settings), (copy) =>
    exportArchive(copy, services, { about, sealed: true }),
  );
  const handle = await open(file, 'w');
  for await (const piece of made) await handle.writeFile(piece);
  await handle.sync();
  await handle.close();
}

/** The same rows, with nothing but SQLite: read from the file of another, written in one transaction that reaches the disk. */
async function bare(): Promise<void> {
  const from = await Store.open(join(data, '../full/groundcrew.sqlite'));
  await store.write(async (tx) => {
    for (const table of ['dns_zone', 'dns_record']) {
      const rows = await from.all<Record<string, string>>(`SELECT * FROM ${table}`);
      const columns = Object.keys(rows[0]!);
      const values = columns.map((column) => `value ->> '${column}'`);
      for (let at = 0; at < rows.length; at += 2000) {
        const text = JSON.stringify(rows.slice(at, at + 2000));
        await tx.run(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`, [
          text,
        ]);
      }
    }
  });
  await from.close();
}

/** Of the restore's one transaction, milliseconds: others who write wait for so long. */
let held = 0;

async function restore(): Promise<void> {
  const forward = await bringForward(archiveFolder(settings), createReadStream(file), null);
  const choice = { mode: 'replace', units: null } as const;
  await rehearse(store, services, forward, choice);
  const since = performance.now();
  await store.write((tx) => restoreState(tx, services, systemActor('bench'), forward, choice));
  held = performance.now() - since;
  await forward.close();
}

/** Of one who reads again and again on a connection of its own, milliseconds: how long it waited at worst. */
async function reading(during: () => Promise<unknown>): Promise<number> {
  const reader = await Store.open(store.file);
  let [over, longest] = [false, 0];
  const loop = (async () => {
    while (!over) {
      const since = performance.now();
      await setTimeout(1);
      await reader.all('SELECT id, name FROM interface');
      longest = Math.max(longest, performance.now() - since - 1);
    }
  })();
  try {
    await during();
  } finally {
    over = true;
    await loop;
    await reader.close();
  }
  return longest;
}

/** Edits of one row, as they are saved all day. */
async function edits(): Promise<void> {
  for (let at = 0; at < 200; at++) {
    await store.write(async (tx) => {
      await refreshInterfaces(tx, services, LINKS);
      await tx.run("UPDATE interface SET revision = revision + 1 WHERE name = 'ens224'");
    });
  }
}

const begun = performance.now();
if (what === 'bare' || what === 'restore') await store.write((tx) => refreshInterfaces(tx, services, LINKS));
const since = what === 'bare' || what === 'restore' ? performance.now() : begun;
const work = { sow, write, bare, restore, edits }[what];
if (!work) throw new Error(`There is no ${what}.`);
let ms = 0;
const late = await reading(async () => {
  await work();
  ms = performance.now() - since;
});
await store.close();
// Kilobytes on Linux.
process.stdout.write(`${JSON.stringify({ ms, held, late, peak_mb: process.resourceUsage().maxRSS / 1024 })}\n`);
