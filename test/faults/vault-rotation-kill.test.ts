// kill -9 while the key of the vaults is rotated: at each of its steps, and at moments of chance.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { ENTRIES, fill, openSide, rotate, type Side, standing } from '../setup/vault-scene.ts';

/** Everything can be opened, and one key is there, which all entries have. */
const ROTATED = { entries: ENTRIES, wrong: [], held: 1, named: 1, current: true };
/** Everything can be opened, whatever key it has. */
const READABLE = { entries: ENTRIES, wrong: [] };

let program: string;
let folder: string;
let side: Side;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-rotation-'));
  side = await openSide(folder);
});
afterEach(async () => {
  await side.store.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeAll(async () => {
  program = await bundleProgram('test/faults/vault-rotation-program.ts');
}, 120_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

test('killed at every step of a rotation, every value can be opened, and the next one ends it', async () => {
  await fill(side);
  let killed = 0;
  for (let step = 1; ; step++) {
    const { signal, code, lines, stderr } = await startProgram(program, [folder, String(step)]).ended;
    expect({ step, ...(await standing(folder)) }).toMatchObject({ step, ...READABLE });
    if (signal === null) {
      expect([code, lines.at(-1), stderr]).toEqual([0, 'done', '']);
      break;
    }
    killed++;
  }
  expect(killed).toBe(9);
  expect(await standing(folder)).toEqual(ROTATED);
}, 300_000);

test('killed at moments of chance as well', async () => {
  await fill(side);
  for (let round = 0; round < 8; round++) {
    const wait = 3 + ((round * 37) % 90);
    const { child, ended } = startProgram(program, [folder, '0'], {
      onLine: () => void setTimeout(() => child.kill('SIGKILL'), wait),
    });
    await ended;
    expect({ round, ...(await standing(folder)) }).toMatchObject({ round, ...READABLE });
  }
  await rotate(side);
  expect(await standing(folder)).toEqual(ROTATED);
}, 300_000);
