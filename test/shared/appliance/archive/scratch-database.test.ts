// What a scratch database leaves to whoever loads it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ScratchDatabase } from '../../../../shared/appliance/archive/scratch-database.ts';

test('SQLite looks for no rows that name each one that comes: with no index on them it would read all, for each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-scratch-'));
  try {
    const db = await ScratchDatabase.open(join(folder, 'scratch.sqlite'));
    await db.run('CREATE TABLE zone (id TEXT PRIMARY KEY)');
    await db.run('CREATE TABLE record (id TEXT PRIMARY KEY, zone_id TEXT REFERENCES zone(id) DEFERRABLE)');
    const program = await db.all<{ opcode: string }>("EXPLAIN INSERT INTO zone VALUES ('a')");
    expect(program.map(({ opcode }) => opcode)).not.toContain('Rewind');
    await db.run("INSERT INTO record VALUES ('one', 'nowhere')");
    expect(await db.all('PRAGMA foreign_key_check')).toMatchObject([{ table: 'record', parent: 'zone' }]);
    await db.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
