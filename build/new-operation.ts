// Begins an operation: writes its handler and its test from a name such as dns/create-record, adds it to the registry,
// and says what is left to do. Never overwrites a file.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { handlerText, type NewOperation, testText } from './new-operation-texts.ts';
import { renderAll } from './registry.ts';
import { filesBelow, ROOT } from './source-tree.ts';

/** The fault of the name or the tree, in one sentence. */
export class Refused extends Error {}

/** `dns/create-record` in its parts, with what the operations beside it have. @throws Refused */
export function readName(name: string, root: string = ROOT): NewOperation {
  const match = /^([a-z][a-z0-9-]*(?:\/[a-z][a-z0-9-]*)?)\/([a-z]+)-([a-z][a-z0-9-]*)$/.exec(name);
  if (!match) throw new Refused(`${name} is no <folder>/<verb>-<thing>, such as dns/create-record.`);
  const [, folder, verb, thing] = match as unknown as [string, string, string, string];
  if (folder.split('/')[0] === 'scheduled')
    throw new Refused('Scheduled work is no operation; see handlers/scheduled.');
  if (folder.split('/')[0] === 'forms')
    throw new Refused('handlers/forms holds what forms share; choose the folder of the operation.');
  const place = placeOf(folder, root);
  const last = place.split('/').at(-1)!;
  const beside = filesBelow(`handlers/${place}`, root).filter((path) => dirname(path) === `handlers/${place}`);
  const sources = beside.map((path) => readFileSync(join(root, path), 'utf8'));
  return {
    ...{ place, verb, thing: singular(thing) },
    area: mostly(sources, /^ {2}path: '\/api\/v1\/([a-z0-9-]+)/m) ?? last,
    resource: mostly(sources, /scope: '(?:read|write):([a-z-]+)'/) ?? last,
    tag: mostly(sources, /^ {2}tag: '(?!Pages')([^']+)'/m) ?? tagOf(last),
  };
}

const tagOf = (word: string): string =>
  word.length <= 4 ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');

/**
 * A folder below handlers/: the one that was named, or the part of a service that has its name (`dns` is
 * `dns-dhcp/dns`).
 */
function placeOf(folder: string, root: string): string {
  const places = new Set(filesBelow('handlers', root).map((path) => dirname(path).slice('handlers/'.length)));
  if (places.has(folder) || [...places].some((place) => place.startsWith(`${folder}/`))) return folder;
  return [...places].find((place) => place.endsWith(`/${folder}`)) ?? folder;
}

/** Where rules and SQL of a place live: its room, on whichever floor, or a new one among the services. */
export function roomOf(place: string, root: string = ROOT): string {
  const rooms = new Set(filesBelow('shared', root).map(dirname));
  return (
    [...rooms].find((room) => room.split('/').slice(2).join('/') === place) ?? `shared/services/${place} (a new room)`
  );
}

/** What an expression finds in most of the texts. */
function mostly(sources: readonly string[], expression: RegExp): string | undefined {
  const found = Map.groupBy(
    sources.flatMap((source) => expression.exec(source)?.[1] ?? []),
    (each) => each,
  );
  return [...found].sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

/** `records` → `record`, `policies` → `policy`, `addresses` → `address`. */
function singular(thing: string): string {
  if (thing.endsWith('ies')) return `${thing.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(thing)) return thing.slice(0, -2);
  return thing.endsWith('s') && !thing.endsWith('ss') ? thing.slice(0, -1) : thing;
}

/** Writes the files below `root` and updates its registry; answers the paths written. @throws Refused */
export function newOperation(name: string, root: string = ROOT): string[] {
  const operation = readName(name, root);
  const path = `${operation.place}/${name.split('/').at(-1)}`;
  const files = new Map([
    [`handlers/${path}.ts`, handlerText(operation)],
    [`test/handlers/${path}.test.ts`, testText(operation)],
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
    console.error('Usage: npm run new:operation -- <folder>/<verb>-<thing>');
    return 2;
  }
  try {
    const [handler, test] = newOperation(name) as [string, string];
    console.log(`wrote ${handler} and ${test}; the registry knows it.

Next:
  1. ${handler}: path, scope, schemas, problems, audit facts. Schemas that several operations share go to
     schemas.ts of the room, named with component().
  2. SQL into the store file of ${roomOf(dirname(handler).slice('handlers/'.length))}, rules into pure functions beside it;
     run stays parse, domain call, view. ${test}: what it answers when it succeeds.
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
