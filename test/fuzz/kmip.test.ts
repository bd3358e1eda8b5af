// Messages of KMIP that were changed a little, cut, or made up: each is answered with a message of KMIP, none ends the process
// or fails in a way that nobody thought of, and what is answered has its bound.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MESSAGE_MOST } from '../../shared/services/kms/protocol/ttlv.ts';
import { CREATE, EXTRAS, idIn, read, request, VCENTER } from '../setup/kmip-messages.ts';
import { addProvider, ask, type KmsSide, openKms } from '../setup/kms-side.ts';

/** Messages; `GROUNDCREW_FUZZ_KMIP=100000` for a long run. */
const MESSAGES = Number(process.env.GROUNDCREW_FUZZ_KMIP ?? 2_000);

let folder: string;
let side: KmsSide;
let recorded: Buffer[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-kmip-fuzz-'));
  side = await openKms(folder);
  await addProvider(side);
  const id = idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))));
  recorded = VCENTER.map((step) => request(step(id), { before: EXTRAS }));
}, 60_000);
afterAll(async () => {
  await side?.store.close();
  rmSync(folder, { recursive: true, force: true });
});

type Change = { at: number; value: number; kind: 'flip' | 'set' | 'cut' | 'add' | 'repeat' };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1_000),
  value: fc.oneof(fc.constantFrom(0x00, 0x01, 0x08, 0x42, 0x7f, 0x80, 0xff), fc.nat(255)),
  kind: fc.constantFrom('flip', 'flip', 'flip', 'set', 'cut', 'add', 'repeat'),
});

function changed(message: Buffer, changes: readonly Change[]): Buffer {
  let bytes = Buffer.from(message);
  for (const { at, value, kind } of changes) {
    const place = at % Math.max(bytes.length, 1);
    const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
    if (kind === 'flip') bytes[place]! ^= 1 << (value & 7);
    else if (kind === 'set') bytes[place] = value;
    else if (kind === 'cut') bytes = Buffer.concat([before, after.subarray(1 + (value % 16))]);
    else if (kind === 'add') bytes = Buffer.concat([before, Buffer.from([value]), after]);
    else bytes = Buffer.concat([bytes, after]).subarray(0, MESSAGE_MOST + 8);
  }
  return bytes;
}

test(`${MESSAGES} messages`, async () => {
  const ends = { well: 0, refused: 0 };
  const messages = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(fc.nat(99), fc.array(change, { minLength: 1, maxLength: 6 })) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  );
  const property = fc.asyncProperty(messages, async (drawn) => {
    const bytes = Buffer.isBuffer(drawn) ? drawn : changed(recorded[drawn[0] % recorded.length]!, drawn[1]);
    const answer = await ask(side, bytes);
    expect(answer.length).toBeLessThanOrEqual(MESSAGE_MOST);
    const { items } = read(answer);
    expect(items.length).toBeGreaterThan(0);
    for (const { status } of items) ends[status === 0 ? 'well' : 'refused'] += 1;
  });
  await fc.assert(property, { numRuns: MESSAGES });
  // What is logged is what the server could not do: nothing.
  expect(side.logged).toEqual([]);
  expect(ends.well).toBeGreaterThan(0);
  expect(ends.refused).toBeGreaterThan(0);
}, 3_600_000);
