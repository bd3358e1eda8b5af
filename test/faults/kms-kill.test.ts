// kill -9 at every statement and step between the arrival of a Create or Get and its answer: no key that was answered is missing
// or another one, none is there without its audit row, and whoever was given one is recorded. `KMS_KILLS=500` kills as often.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { materialIn, named, read, request } from '../setup/kmip-messages.ts';
import { addProvider, ask, openKms } from '../setup/kms-side.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';

/** How often it is killed at least; each place once in any case. */
const KILLS = Number(process.env.KMS_KILLS ?? 1);
/** Keys of one life, made at the same time. */
const KEYS = 2;
/** Data folders, each with one life at a time. */
const LANES = KILLS > 1 ? 2 : 1;
/** What a killed process wrote outlives it in memory as on a disk, where it would wait for each commit. */
const MEMORY = '/dev/shm';

let program: string;
let folders: string[];

beforeAll(async () => {
  program = await bundleProgram('test/faults/kms-program.ts', { split: true });
  const below = existsSync(MEMORY) ? MEMORY : tmpdir();
  folders = Array.from({ length: LANES }, () => mkdtempSync(join(below, 'groundcrew-kms-kill-')));
  for (const folder of folders) {
    const side = await openKms(folder);
    await addProvider(side);
    await side.store.close();
  }
}, 120_000);
afterAll(() => {
  for (const folder of folders ?? []) rmSync(folder, { recursive: true, force: true });
  if (program) rmSync(join(program, '..'), { recursive: true, force: true });
});

interface Kept {
  /** Every key by its id: the digest of its material, as the next life gives it. */
  keys: Map<string, string>;
  audited: string[];
  received: Set<string>;
}

async function keptIn(folder: string): Promise<Kept> {
  const side = await openKms(folder);
  const ids = async (sql: string) => (await side.store.all<{ id: string }>(sql)).map(({ id }) => id);
  const keys = new Map<string, string>();
  for (const id of await ids('SELECT id FROM kms_key')) {
    const got = read(await ask(side, request([{ operation: 'Get', payload: [named(id)] }])));
    keys.set(id, createHash('sha256').update(materialIn(got)).digest('hex'));
  }
  const audited = await ids("SELECT resource_id AS id FROM audit_event WHERE action = 'kms.key.create'");
  const received = new Set(await ids('SELECT key_id AS id FROM kms_receiver'));
  await side.store.close();
  return { keys, audited, received };
}

interface Told {
  killed: number;
  /** Statements and steps of a life that is not killed. */
  places: number;
  /** Key → the digest of its material; empty: it was not given before the kill. */
  answered: Map<string, string>;
}

/** Kills lives at one place after the other until `enough`, and looks at what is kept whenever all places had their turn. */
async function killIn(folder: string, enough: () => boolean, told: Told): Promise<void> {
  do {
    for (let fatal = 1; ; fatal++) {
      const { lines, signal } = await startProgram(program, [folder, String(fatal), String(KEYS)]).ended;
      for (const [, id, digest = ''] of lines.map((line) => line.split(' ')))
        if (id !== undefined) told.answered.set(id, digest);
      if (lines.includes('done')) break;
      expect(signal).toBe('SIGKILL');
      told.killed += 1;
      told.places = Math.max(told.places, fatal);
    }
    const { keys, audited, received } = await keptIn(folder);
    for (const [id, digest] of told.answered) {
      expect([id, keys.has(id)]).toEqual([id, true]);
      if (digest !== '') expect([id, keys.get(id), received.has(id)]).toEqual([id, digest, true]);
    }
    expect(audited.toSorted()).toEqual([...keys.keys()].sort());
  } while (!enough());
}

test('at every statement and step', async () => {
  const lanes = folders.map((): Told => ({ killed: 0, places: 0, answered: new Map() }));
  const killed = () => lanes.reduce((sum, lane) => sum + lane.killed, 0);
  await Promise.all(lanes.map((told, at) => killIn(folders[at]!, () => killed() >= KILLS, told)));
  for (const { places, answered } of lanes) {
    // Twice: begin, the row, its audit row, the commit, and the three steps beside them; and the receipts.
    expect(places).toBeGreaterThanOrEqual(18);
    expect([...answered.values()].filter((digest) => digest !== '').length).toBeGreaterThan(0);
  }
  if (KILLS > 1) console.log(`${killed()} kills at ${lanes[0]!.places} places`);
}, 3_600_000);
