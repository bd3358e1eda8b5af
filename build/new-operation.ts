// Begins an operation: writes its handler and its test from a name such as dns/create-record, adds it to the registry,
// and says what is left to do. Never overwrites a file.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { handlerText, type NewOperation, testText, VERBS, type Verb } from './new-operation-texts.ts';
import { renderAll } from './registry.ts';
import { ROOT } from './source-tree.ts';

/** What is wrong with the name or the tree, in one sentence. */
export class Refused extends Error {}

/** `dns/create-record` in its parts. @throws Refused */
export function readName(name: string): NewOperation {
  const match = /^([a-z][a-z0-9-]*)\/([a-z]+)-([a-z][a-z0-9-]*)$/.exec(name);
  const verbs = Object.keys(VERBS).join(', ');
  if (!match) throw new Refused(`${name} is no <area>/<verb>-<thing>, such as dns/create-record.`);
  const [, area, verb, thing] = match as unknown as [string, string, string, string];
  if (area === 'scheduled') throw new Refused('Scheduled work is no operation; see handlers/scheduled.');
  if (area === 'forms') throw new Refused('handlers/forms holds what forms share; choose the area of the operation.');
  if (!Object.hasOwn(VERBS, verb)) throw new Refused(`${verb} is none of the verbs that this begins: ${verbs}.`);
  return { area, verb: verb as Verb, thing: singular(thing) };
}

/** `records` → `record`, `policies` → `policy`, `addresses` → `address`. */
function singular(thing: string): string {
  if (thing.endsWith('ies')) return `${thing.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(thing)) return thing.slice(0, -2);
  return thing.endsWith('s') && !thing.endsWith('ss') ? thing.slice(0, -1) : thing;
}

/** Writes the files below `root` and updates its registry; answers the paths written. @throws Refused */
export function newOperation(name: string, root: string = ROOT): string[] {
  const operation = readName(name);
  const files = new Map([
    [`handlers/${name}.ts`, handlerText(operation)],
    [`test/handlers/${name.replace('/', '-')}.test.ts`, testText(operation)],
  ]);
  const taken = [...files.keys()].find((path) => existsSync(join(root, path)));
  if (taken) throw new Refused(`${taken} exists already; nothing was written.`);
  for (const [path, text] of files) write(root, path, text);
  for (const [path, text] of renderAll(root)) write(root, path, text);
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...files.keys()], {
    cwd: root,
    stdio: 'pipe',
  });
  return [...files.keys()];
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function main(names: string[]): number {
  const [name] = names;
  if (name === undefined || names.length > 1) {
    console.error('Usage: npm run new:operation -- <area>/<verb>-<thing>');
    return 2;
  }
  try {
    const [handler, test] = newOperation(name) as [string, string];
    console.log(`wrote ${handler} and ${test}; the registry knows it.

Next:
  1. ${handler}: path, scope, schemas, problems, audit facts. Schemas that several operations share go to
     shared/${name.split('/')[0]}/schemas.ts, named with component().
  2. SQL into the domain's store file, rules into pure functions; run stays parse, domain call, view.
  3. A scenario in test/contract/scenarios, and its body in test/contract/clients/bodies.ts: an operation without one fails there.
  4. npm run openapi, then npm run check.`);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    return 1;
  }
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
