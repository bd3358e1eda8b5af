// kill -9 at every statement and step between Create's arrival and its answer: no key that was answered is missing or another
// one, and none is there without its audit row. `KMS_KILLS=500` kills as often.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { materialIn, named, read, request } from '../setup/kmip-messages.ts';
import { addProvider, ask, openKms } from '../setup/kms-side.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';

/** How often it is killed at least; each place once in any case. */
const KILLS = Number(process.env.KMS_KILLS ?? 1);
/** Keys of one life: it is killed at the first or at a later one. */
const KEYS = 2;

let program: string;
let folder: string;

beforeAll(async () => {
  program = await bundleProgram('test/faults/kms-program.ts');
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-kms-kill-'));
  const side = await openKms(folder);
  await addProvider(side);
  await side.store.close();
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(program, '..'), { recursive: true, force: true });
});

/** Every key by its id: the digest of its material, as the next life gives it. */
async function kept(): Promise<{ keys: Map<string, string>; audited: string[] }> {
  const side = await openKms(folder);
  const rows = await side.store.all<{ id: string }>('SELECT id FROM kms_key');
  const audited = await side.store.all<{ id: string }>(
    "SELECT resource_id AS id FROM audit_event WHERE action = 'kms.key.create'",
  );
  const keys = new Map<string, string>();
  for (const { id } of rows) {
    const got = read(await ask(side, request([{ operation: 'Get', payload: [named(id)] }])));
    keys.set(id, createHash('sha256').update(materialIn(got)).digest('hex'));
  }
  await side.store.close();
  return { keys, audited: audited.map(({ id }) => id) };
}

test('at every statement and step', async () => {
  const answered = new Map<string, string>();
  let [killed, places] = [0, 0];
  do {
    for (let fatal = 1; ; fatal++) {
      const { lines } = await startProgram(program, [folder, String(fatal), String(KEYS)]).ended;
      for (const line of lines.filter((each) => each.startsWith('answered'))) {
        const [, id, digest] = line.split(' ');
        answered.set(id!, digest!);
      }
      if (lines.includes('done')) break;
      killed += 1;
      places = Math.max(places, fatal);
    }
    const { keys, audited } = await kept();
    for (const [id, digest] of answered) expect([id, keys.get(id)]).toEqual([id, digest]);
    expect(audited.toSorted()).toEqual([...keys.keys()].sort());
  } while (killed < KILLS);
  // Twice: begin, the row, its audit row, the commit, and the three steps beside them.
  expect(places).toBeGreaterThanOrEqual(14);
  expect(answered.size).toBeGreaterThan(0);
}, 3_600_000);
