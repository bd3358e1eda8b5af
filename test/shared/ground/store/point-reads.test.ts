// Point reads that share a statement: which do, what each is given, and whom a failure reaches.
import { expect, test } from '@jest/globals';
import type { Database, SqlValue } from '../../../../shared/ground/store/database.ts';
import { PointReads, type Points } from '../../../../shared/ground/store/point-reads.ts';

/** A database that has every key but `gone`, and answers a moment later. */
function fake() {
  const statements: [sql: string, values: readonly SqlValue[]][] = [];
  const all = async (sql: string, values: readonly SqlValue[]) => {
    statements.push([sql, values]);
    await new Promise((resolve) => setImmediate(resolve));
    if (sql.includes('broken')) throw new Error('no such table');
    const kinds = [...sql.matchAll(/SELECT (\d+) AS kind/g)].map(([, kind]) => Number(kind));
    return kinds.flatMap((kind) =>
      (JSON.parse(String(values[kind])) as string[])
        .filter((key) => key !== 'gone')
        .map((key) => ({ kind, key, row: JSON.stringify({ kind, key }) })),
    );
  };
  return { reads: new PointReads({ all } as unknown as Database), statements };
}
const points = (sql: string): Points<{ key: string }> => ({ sql, open: (row) => JSON.parse(row) });
const [users, clients, broken] = ['users', 'clients', 'broken'].map(points) as [
  Points<{ key: string }>,
  Points<{ key: string }>,
  Points<never>,
];

test('those of one moment are one statement, whatever they are of, and each key is asked for once', async () => {
  const { reads, statements } = fake();
  const found = await Promise.all([
    reads.find(users, 'a'),
    reads.find(clients, 'a'),
    reads.find(users, 'a'),
    reads.find(users, 'gone'),
  ]);
  expect(found.map((one) => one?.key ?? null)).toEqual(['a', 'a', 'a', null]);
  expect(statements.map(([, values]) => values)).toEqual([['["a"]', '["a","gone"]']]);
  // What one changes is no matter of the other.
  expect(found[0]).not.toBe(found[2]);
});

test('what is asked for while one runs is read by the next: it sees what was written meanwhile', async () => {
  const { reads, statements } = fake();
  const first = reads.find(users, 'a');
  await new Promise((resolve) => setImmediate(resolve));
  const second = [reads.find(users, 'a'), reads.find(users, 'b')];
  await Promise.all([first, ...second]);
  expect(statements.map(([, values]) => values)).toEqual([['["a"]'], ['["a","b"]']]);
});

test('a statement that fails is told to all who share it, and the next one is as good as any', async () => {
  const { reads } = fake();
  const settled = await Promise.allSettled([reads.find(users, 'a'), reads.find(broken, 'a')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await reads.find(users, 'a')).toMatchObject({ key: 'a' });
});
