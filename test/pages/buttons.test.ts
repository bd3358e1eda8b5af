// Buttons stand in one order on every page: what most people come for is first, a check or a preview follows what it is of, and
// what adds a row has the sign for it.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const FILES = globSync('pages/**/*.tsx', { cwd: ROOT });

/** Each part of a page between these tags, with its file. */
function partsOf(tag: string): { file: string; inside: string }[] {
  const part = new RegExp(`<${tag}\\b[\\s\\S]*?</${tag}>`, 'g');
  return FILES.flatMap((file) =>
    (readFileSync(join(ROOT, file), 'utf8').match(part) ?? []).map((inside) => ({ file, inside })),
  );
}

const BUTTON = /<(?:ButtonLink|Button|PostButton)\b[^>]*?>|\badd\}/g;

/** The files whose part has, after another button, one that ought to be first. */
const notFirst = (tag: string, first: RegExp): string[] =>
  partsOf(tag)
    .filter(({ inside }) => (inside.match(BUTTON) ?? []).findIndex((button) => first.test(button)) > 0)
    .map(({ file }) => file);

test('the primary button of a page is the first of its heading', () => {
  expect(partsOf('PageHead').length).toBeGreaterThan(30);
  expect(notFirst('PageHead', /kind="primary"|\badd\}/)).toEqual([]);
});

test('what a form does is its first button, also where it can be tried before', () => {
  const tried = partsOf('FormActions').filter(({ inside }) => /name="(?:dry_run|check_only)"/.test(inside));
  expect(tried.length).toBeGreaterThan(3);
  const before = tried.filter(({ inside }) => /name="(?:dry_run|check_only)"/.test(inside.match(BUTTON)?.[0] ?? ''));
  // Before there is a preview, an import has no other button.
  expect(before.map(({ file }) => file)).toEqual([]);
});

test('what adds a row has a plus', () => {
  const links = FILES.flatMap((file) => {
    const all = readFileSync(join(ROOT, file), 'utf8').match(/<ButtonLink\b[^>]*?>\s*(?:Add|Make an|Issue a) /g) ?? [];
    return all.filter((link) => link.includes('kind="primary"') && !link.includes('icon="plus"')).map(() => file);
  });
  expect(links).toEqual([]);
});
