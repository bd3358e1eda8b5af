// Output in blocks that are used again: nothing is lost, nothing is sent twice, and nothing is overwritten before it was sent.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Backlog, Blocks } from '../../../../shared/services/web-terminal/session/blocks.ts';
import { LIMITS } from '../../../../shared/services/web-terminal/session/limits.ts';

const pieces = fc.array(fc.integer({ min: 0, max: 3 * LIMITS.block }), { maxLength: 8 });
const numbered = (lengths: number[]) => lengths.map((length, at) => Buffer.alloc(length, 65 + at));
const turn = () => new Promise((done) => setImmediate(done));

test('whatever the pieces are, they are sent in order, in messages of a block at most, when all that is there was read', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (lengths) => {
      const sent: Buffer[] = [];
      const dones: (() => void)[] = [];
      const blocks = new Blocks((bytes, done) => {
        sent.push(bytes);
        dones.push(done);
      });
      const all = numbered(lengths);
      for (const piece of all) {
        blocks.add(piece);
        // The memory of a piece is its owner's again.
        piece.fill(0);
      }
      await turn();
      // Blocks that are not done are nobody's else.
      const other = new Blocks(() => undefined);
      other.add(Buffer.alloc(LIMITS.block, 1));
      expect(Buffer.concat(sent).equals(Buffer.concat(numbered(lengths)))).toBe(true);
      expect(sent.every(({ length }) => length <= LIMITS.block && length > 0)).toBe(true);
      for (const done of dones) done();
    }),
    { numRuns: 60 },
  );
});

test('small pieces of one moment are one message; what is dropped is never sent', async () => {
  const sent: string[] = [];
  const blocks = new Blocks((bytes, done) => {
    sent.push(bytes.toString());
    done();
  });
  for (const letter of 'abc') blocks.add(Buffer.from(letter));
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual(['abc']);
  blocks.add(Buffer.from('dropped'));
  blocks.drop();
  await turn();
  blocks.add(Buffer.from('d'));
  blocks.flush();
  expect(sent).toEqual(['abc', 'd']);
});

test('a backlog gives back what it got, in order', () => {
  fc.assert(
    fc.property(pieces, (lengths) => {
      const backlog = new Backlog();
      for (const piece of numbered(lengths)) backlog.add(piece);
      const got: Buffer[] = [];
      while (!backlog.empty) backlog.next((bytes) => got.push(Buffer.from(bytes)));
      expect(Buffer.concat(got).equals(Buffer.concat(numbered(lengths)))).toBe(true);
    }),
    { numRuns: 60 },
  );
});
