// What CONTRIBUTING says of the tree: its paths are there, the map of the tests leaves none out, and walks stay short.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, ROOT } from '../../build/source-tree.ts';

const TEXT = readFileSync(join(ROOT, '.github/CONTRIBUTING.md'), 'utf8');
const WALKS = TEXT.split('\n## Walks\n')[1]!.split('\n## ')[0]!;

/** A table of the map: the folder that it is of, and the names in its first column. */
const TABLES = TEXT.split('\n## Tests\n')[1]!
  .split('\n## ')[0]!
  .split(/^\*\*`(?=test\/)/m)
  .slice(1)
  .map((part): [string, string[]] => [
    part.slice(0, part.indexOf('/`')),
    part
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)),
  ]);

test('every path that it names is there', () => {
  const named = [...TEXT.matchAll(/`((?:build|handlers|pages|runtime|shared|test)\/[\w./-]+)`/g)].map(
    (match) => match[1]!,
  );
  const known = named.filter((path) => !/\/[abc]\//.test(path));
  expect(known.length).toBeGreaterThan(30);
  expect(known.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

describe('the map', () => {
  test.each(TABLES.filter(([, names]) => names.length > 0))('of %s names each of its tests once', (folder, names) => {
    const files = filesBelow(folder).flatMap((path) => /([^/]+)\.test\.tsx?$/.exec(path)?.[1] ?? []);
    expect(names.sort()).toEqual(files.sort());
  });

  test('has the folders that go across the tree', () => {
    expect(TABLES.map(([folder]) => folder.slice('test/'.length))).toEqual([
      'contract',
      'faults',
      'fuzz',
      'system',
      'deployment',
      'browser',
      'appliance',
    ]);
  });
});

test('a walk is at most eight files, the first four of which are the same', () => {
  const [common, ...walks] = WALKS.split(/^\*\*/m).map((part) => part.match(/^\d+\. `[^`]+`/gm) ?? []);
  expect(walks).toHaveLength(4);
  for (const walk of walks)
    expect([...common!, ...walk].map((line) => Number.parseInt(line, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
