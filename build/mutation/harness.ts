// What the tests of the pure cores need of jest, in a plain process: they are registered once and run again for each mutant,
// which costs what the tests themselves do. `@jest/globals` leads here.
import { expect as plain } from 'expect';

type Work = (...values: unknown[]) => unknown;

export interface Test {
  name: string;
  group: Group;
  run: () => unknown;
}

interface Group {
  name: string;
  above: Group | null;
  beforeAll: Work[];
  afterAll: Work[];
  beforeEach: Work[];
  afterEach: Work[];
}

const group = (name: string, above: Group | null): Group => ({
  name,
  above,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});

let current = group('', null);
let tests: Test[] = [];

/** Begins a file: what is registered from here on is its tests. */
export function begin(name: string): Test[] {
  current = group(name, null);
  tests = [];
  return tests;
}

function each(register: (name: string, work: Work) => void) {
  return (rows: readonly unknown[]) => (name: string, work: Work) => {
    for (const [at, row] of rows.entries())
      register(`${name} [${at}]`, () => (Array.isArray(row) ? work(...row) : work(row)));
  };
}

function describeOne(name: string, work: Work): void {
  const outer = current;
  current = group(name, outer);
  work();
  current = outer;
}

function testOne(name: string, run: Work): void {
  tests.push({ name, group: current, run });
}

export const describe = Object.assign(describeOne, { each: each(describeOne) });
export const test = Object.assign(testOne, { each: each(testOne) });
export const it = test;
export const expect = plain;
export const beforeAll = (work: Work): void => void current.beforeAll.push(work);
export const afterAll = (work: Work): void => void current.afterAll.unshift(work);
export const beforeEach = (work: Work): void => void current.beforeEach.push(work);
export const afterEach = (work: Work): void => void current.afterEach.unshift(work);

const groupsOf = (from: Group | null): Group[] => (from ? [...groupsOf(from.above), from] : []);

let stray = Promise.withResolvers<never>();

export function failNow(error: Error): void {
  stray.reject(error);
}

/** Runs these tests with their hooks, as far as `goOn` allows; answers the names of those that failed. */
export async function run(
  chosen: readonly Test[],
  around: (test: Test, work: () => Promise<void>) => Promise<void>,
  bail: boolean,
): Promise<string[]> {
  const open: Group[] = [];
  const failed: string[] = [];
  const close = async (until: readonly Group[]): Promise<void> => {
    while (open.length > 0 && !until.includes(open.at(-1)!)) for (const hook of open.pop()!.afterAll) await hook();
  };
  for (const chosenTest of chosen) {
    stray = Promise.withResolvers<never>();
    stray.promise.catch(() => undefined);
    const groups = groupsOf(chosenTest.group);
    await around(chosenTest, async () => {
      try {
        await close(groups);
        for (const each of groups) {
          if (open.includes(each)) continue;
          open.push(each);
          for (const hook of each.beforeAll) await hook();
        }
        try {
          for (const each of groups) for (const hook of each.beforeEach) await hook();
          await Promise.race([chosenTest.run(), stray.promise]);
        } finally {
          for (const each of groups.toReversed()) for (const hook of each.afterEach) await hook();
        }
      } catch (error) {
        failed.push(`${chosenTest.name}: ${(error as Error)?.message ?? error}`);
      }
    });
    if (bail && failed.length > 0) break;
  }
  await close([]).catch((error: Error) => failed.push(error.message));
  return failed;
}
