// Writes of sign-ins that share a transaction: who shares, who sees what, and whom a failure reaches.
import { expect, test } from '@jest/globals';
import type { Transaction } from '../../../../shared/ground/store/database.ts';
import { GroupCommit } from '../../../../shared/services/oidc/artifacts/group-commit.ts';

/** A store of a list: what a transaction wrote is there after it, or not at all. */
function fake() {
  const kept: string[] = [];
  let commits = 0;
  const write = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const mine: string[] = [...kept];
    const value = await work({ run: async (what: string) => mine.push(what) } as unknown as Transaction);
    kept.splice(0, kept.length, ...mine);
    commits += 1;
    return value;
  };
  return { store: { write }, kept, commits: () => commits };
}
const put = (what: string) => (tx: Transaction) => tx.run(what);

test('what comes while a transaction runs shares the next one, each after those before it', async () => {
  const { store, kept, commits } = fake();
  const writes = new GroupCommit(store);
  const all = ['a', 'b', 'c', 'd'].map((what) => writes.write(put(what)));
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
  expect([kept, commits()]).toEqual([['a', 'b', 'c', 'd'], 2]);
  await writes.write(put('e'));
  expect([kept.at(-1), commits()]).toEqual(['e', 3]);
});

test('one that fails is told so, and the others of its group are written', async () => {
  const { store, kept } = fake();
  const writes = new GroupCommit(store);
  const fails = () => Promise.reject(new Error('no'));
  const all = [writes.write(put('a')), writes.write(put('b')), writes.write(fails), writes.write(put('c'))];
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(kept.sort()).toEqual(['a', 'b', 'c']);
});
