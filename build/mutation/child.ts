// Runs the mutants of one core: `node child.ts <core> [<id> …]`, the ids being those that are left after a hang. The tests are
// loaded once, with all mutants in the files of the core and none of them on; each mutant is then met by the tests that come
// to it. What a module works out while it loads is made anew: with the mutant on, all files are loaded once more.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../source-tree.ts';
import { CORES } from './cores.ts';
import { begin, failNow, run, type Test } from './harness.ts';
import { type Mutant, mutate } from './mutants.ts';

/** What the parent hears: how a mutant ended, or the tests fail without any. */
export type Said =
  | { begun: number }
  | { ended: number; noticed: boolean; reached: boolean }
  | { mutants: Mutant[]; milliseconds: number }
  | { broken: string[] }
  | { alive: true }
  | { done: true };

/** Something goes on for ever when places of mutants are come to so many times as often as without one, and this often at least. */
const HITS = { times: 10, least: 100_000 };

const [name, ...left] = process.argv.slice(2);
const core = CORES.find((each) => each.name === name)!;
/** Resolves when the parent's pipe has taken it: what only waits in this process is lost when it ends or hangs. */
const say = (said: Said): Promise<void> => new Promise((resolve) => process.send!(said, () => resolve()));

const texts = new Map<string, string>();
const mutants: Mutant[] = [];
for (const path of core.files) {
  const found = mutate(path, readFileSync(join(ROOT, path), 'utf8'), mutants.length + 1);
  mutants.push(...found.mutants);
  texts.set(pathToFileURL(join(ROOT, path)).href, found.text);
}

let on = 0;
let hits = 0;
let seen: Set<number> | null = null;
/** How often all tests come to places of mutants. */
let usual = 0;
Object.assign(globalThis, {
  mutant(id: number): boolean {
    if (seen) {
      seen.add(id);
      usual += 1;
    }
    if (on !== 0 && ++hits > Math.max(HITS.least, HITS.times * usual)) throw new Error('The mutant goes on for ever.');
    return id === on;
  },
});

const HARNESS = new URL('./harness.ts', import.meta.url).href;
const PACKAGES = pathToFileURL(join(ROOT, 'node_modules')).href;
const OURS = pathToFileURL(`${ROOT}/`).href;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: HARNESS, shortCircuit: true };
    const resolved = next(specifier, context);
    // Files of one loading belong together: the number in the address of whoever asks is that of what is asked for.
    const { search } = new URL(context.parentURL ?? 'file:///');
    const counted =
      search.startsWith('?loading=') && resolved.url.startsWith(OURS) && !resolved.url.startsWith(PACKAGES);
    return counted ? { ...resolved, url: `${resolved.url}${search}` } : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const text = texts.get(url.replace(/\?.*/, ''));
    return text === undefined ? loaded : { ...loaded, source: text };
  },
});

let loadings = 0;
/** Loads the tests of a file, with all that it imports made anew. */
async function load(path: string): Promise<Test[]> {
  loadings++;
  const found = begin(path);
  await import(`${pathToFileURL(join(ROOT, path)).href}?loading=${loadings}`);
  return found.filter(({ name }) => !core.without?.includes(name));
}

const plainly = (_test: Test, work: () => Promise<void>): Promise<void> => work();

/** What fails where no test waits for it fails the test that runs then: the rest of that one may never come. */
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error: Error) => failNow(error));
process.on('beforeExit', () => failNow(new Error('It waits for what never comes.')));

const tests: Test[] = [];
const whileLoading = new Map<string, Set<number>>();
for (const path of core.tests) {
  seen = new Set();
  tests.push(...(await load(path)));
  whileLoading.set(path, seen);
}
const since = performance.now();
const reached = new Map<Test, Set<number>>();
const broken = await run(
  tests,
  async (test, work) => {
    seen = new Set();
    await work();
    reached.set(test, seen);
    await say({ alive: true });
  },
  false,
);
seen = null;
// Tests are chosen one by one, so none may need another before it.
broken.push(
  ...(await run(tests.toReversed(), (test, work) => plainly(test, work).finally(() => say({ alive: true })), false)),
);
if (broken.length > 0) {
  await say({ broken });
  process.exit(1);
}
if (left.length === 0) await say({ mutants, milliseconds: performance.now() - since });

async function notices({ id }: Mutant): Promise<{ noticed: boolean; reached: boolean }> {
  const anew = core.tests.filter((path) => whileLoading.get(path)!.has(id));
  const own = tests.filter((test) => reached.get(test)!.has(id));
  if (own.length === 0 && anew.length === 0) return { noticed: false, reached: false };
  hits = 0;
  on = id;
  let noticed = false;
  for (const path of anew) {
    const loaded = await load(path).catch(() => null);
    noticed ||= loaded === null || (await run(loaded, plainly, true)).length > 0;
  }
  if (anew.length === 0) noticed = (await run(own, plainly, true)).length > 0;
  on = 0;
  return { noticed, reached: true };
}

for (const mutant of mutants) {
  if (left.length > 0 && !left.includes(String(mutant.id))) continue;
  await say({ begun: mutant.id });
  await say({ ended: mutant.id, ...(await notices(mutant)) });
}
await say({ done: true });
process.disconnect();
process.exit(0);
