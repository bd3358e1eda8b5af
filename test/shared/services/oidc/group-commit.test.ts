// Writes of sign-ins that share a transaction: who shares, who sees what, and whom a failure reaches.
import { expect, test } from '@jest/globals';
import type { Transaction } from '../../../../shared/ground/store/database.ts';
import type { Store } from '../../../../shared/ground/store/store.ts';
import { GroupCommit } from '../../../../shared/services/oidc/artifacts/group-commit.ts';
import { OneStatement } from '../../../../shared/services/oidc/artifacts/one-statement.ts';

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

/** A kind of writes into that list. */
const noted = {
  write: async (tx: Transaction, items: readonly string[]) => Promise.all(items.map((each) => tx.run(each))),
};

test('what is put off goes with the next write and before it, with no commit of its own', async () => {
  const { store, kept, commits } = fake();
  const writes = new GroupCommit(store);
  const off = writes.later(noted, 'code', 60_000);
  expect([kept, commits()]).toEqual([[], 0]);
  await Promise.all([writes.write(put('revoked')), writes.add(noted, 'token')]);
  await off;
  expect(kept.slice(0, 2)).toEqual(['code', 'revoked']);
  expect(kept).toContain('token');
  expect(commits()).toBeLessThanOrEqual(2);
});

test('who stops waits until what was put off is written, and for what runs', async () => {
  const { store, kept, commits } = fake();
  const writes = new GroupCommit(store);
  await writes.settled();
  expect(commits()).toBe(0);
  const off = writes.later(noted, 'code', 600_000);
  await writes.settled();
  await off;
  expect(kept).toEqual(['code']);
  void writes.add(noted, 'token');
  await writes.settled();
  expect(kept).toEqual(['code', 'token']);
});

test('what is put off is written by itself when its time is over, also while another write runs', async () => {
  const { store, kept, commits } = fake();
  const slow = Promise.withResolvers<void>();
  let held = false;
  const writes = new GroupCommit({
    async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      if (held) await slow.promise;
      return store.write(work);
    },
  } as Pick<Store, 'write'>);
  await writes.later(noted, 'a', 5);
  expect([kept, commits()]).toEqual([['a'], 1]);
  held = true;
  const runs = writes.write(put('b'));
  const off = writes.later(noted, 'c', 1);
  await new Promise((done) => setTimeout(done, 20));
  expect(kept).toEqual(['a']);
  slow.resolve();
  await Promise.all([runs, off]);
  expect(kept.toSorted()).toEqual(['a', 'b', 'c']);
});

test('what is put off and fails is told so, and takes nobody with it', async () => {
  const { store, kept } = fake();
  const writes = new GroupCommit(store);
  const fails = { write: () => Promise.reject(new Error('no')) };
  const off = writes.later(fails, 'code', 60_000);
  const settled = await Promise.allSettled([writes.write(put('a')), off]);
  expect([settled.map(({ status }) => status), kept]).toEqual([['fulfilled', 'rejected'], ['a']]);
});

/** Rows that are one statement; the first transaction is refused, and so is what `fault` says. */
function rows(fault: () => Error | null = () => null) {
  const said = { transactions: 0, statements: 0, alone: 0 };
  const store = {
    async write(work: (tx: Transaction) => Promise<unknown>) {
      said.transactions += 1;
      if (said.transactions === 1) throw new Error('database is locked');
      return work({ run: async () => 0 } as unknown as Transaction);
    },
    async run() {
      const error = fault();
      if (error) throw error;
      said.statements += 1;
    },
  } as unknown as Store;
  const kind = {
    async write(_tx: Transaction, items: readonly string[]) {
      said.alone += 1;
      return items;
    },
    rows: (item: string) => ({ writes: [['put', [item]]] as const, answer: item }),
  };
  return { store, kind, said };
}

test('a first write that fails is tried again by the next one', async () => {
  const { store, said } = rows();
  const one = new OneStatement(store);
  await expect(one.write([])).rejects.toThrow('database is locked');
  await one.write([]);
  await one.write([]);
  expect(said).toMatchObject({ transactions: 2, statements: 2 });
});

test('that rows are written one by one is reported, but not where one was consumed before', async () => {
  let error: Error | null = null;
  const { store, kind, said } = rows(() => error);
  const reported: string[] = [];
  const writes = new GroupCommit(store, new OneStatement(store), ({ message }) => void reported.push(message));
  expect(await writes.add(kind, 'a')).toBe('a');
  expect(await writes.add(kind, 'b')).toBe('b');
  expect([said.alone, said.statements, reported]).toEqual([1, 1, ['database is locked']]);
  error = new Error('already consumed');
  expect(await writes.add(kind, 'c')).toBe('c');
  expect([said.alone, reported]).toEqual([2, ['database is locked']]);
});
