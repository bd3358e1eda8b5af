// The house rules that a formatter or type checker doesn't know, as pure functions over path → content.
import { posix } from 'node:path';
import { roomOf, upward } from './floors.ts';
import { functionLengths } from './function-lengths.ts';
import { tableOwners } from './tables.ts';

export interface Finding {
  path: string;
  line: number;
  rule: string;
  message: string;
}

export type Sources = ReadonlyMap<string, string>;

export interface Surroundings {
  /** Folder that holds the checkout: a name that must not be in it, since it differs on every machine. Null: none. */
  checkoutParent: string | null;
  /** Host names of the package registry in use, for the same reason. */
  registryHosts: readonly string[];
}

/** Which top folders may import which; a folder that isn't named (and a file at the top) may import nothing of ours. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  shared: ['shared'],
  handlers: ['handlers', 'shared'],
  pages: ['pages', 'shared'],
  runtime: ['runtime', 'handlers', 'pages', 'shared'],
  build: ['build', 'runtime', 'handlers', 'pages', 'shared'],
  test: ['test', 'build', 'runtime', 'handlers', 'pages', 'shared'],
};

const MOST_LINES = 450;
const NOT_BY_HAND = /(?:^|\/)(?:generated|golden|fixtures|screenshots)\/|\.golden\./;
const BY_HAND = /\.(?:ts|tsx|mjs|cjs|js|css)$/;
const CODE = /\.(?:ts|tsx)$/;
const FORBIDDEN_STEM = /^(?:utils?|helpers?|managers?|common)$|[-.](?:utils?|helpers|managers?|common)$/;

/** Words that no file may carry; the expressions are written so that they don't match themselves. */
const WORDS: readonly { rule: string; pattern: RegExp; message: string }[] = [
  {
    rule: 'own-words',
    pattern: /\.\.\/shared\/(?:spec|design|reference|hooks)\b/,
    message: 'names a file outside the repository',
  },
  {
    rule: 'registry-host',
    pattern: /registry\.(?:npmjs|yarnpkg)\b/,
    message: 'names a package registry; which one is used is the business of the machine',
  },
];

/** What code must not make itself, and the only places that may. */
const ONE_PLACE: readonly { rule: string; pattern: RegExp; allowed: RegExp; message: string }[] = [
  {
    rule: 'environment',
    pattern: /\bprocess\.env\b/,
    allowed: /^(?:build|test)\/|^runtime\/config\.ts$/,
    message: 'read the environment in runtime/config.ts only and pass on what it means',
  },
  {
    rule: 'clock',
    pattern: /\bDate\.now\(|\bnew Date\(\s*\)/,
    // Islands run in a browser and use its clock.
    allowed: /^(?:build|test|pages\/islands)\/|^shared\/ground\/clock\.ts$/,
    message: 'take the time from a Clock',
  },
  {
    rule: 'entropy',
    pattern: /\bMath\.random\b/,
    allowed: /^(?:build|test|pages\/islands)\/|^shared\/ground\/clock\.ts$/,
    message: 'take randomness from an Entropy',
  },
  {
    rule: 'page-path',
    pattern: /\/ui\b/,
    allowed: /^(?:build|test)\/|^shared\/ground\/page-paths\.ts$/,
    message: 'take the path of a page from pagePath or pageRoute',
  },
];

const TEST_IS_OFF = /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/;
const TEST_CANNOT_FAIL = /\bexpect\(\s*true\s*\)/;

type Rule = (sources: Sources, surroundings: Surroundings) => Finding[];

const RULES: readonly Rule[] = [
  importDirections,
  rooms,
  fileLengths,
  functionLengths,
  fileNames,
  ownWords,
  testsThatRun,
  madeInOnePlace,
  listedDependencies,
  tableOwners,
];

/** All findings, ordered by path and line. Pure. */
export function lint(sources: Sources, surroundings: Surroundings): Finding[] {
  return RULES.flatMap((rule) => rule(sources, surroundings)).sort(
    (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line,
  );
}

/** Lines of the file in the middle when hand-written files are ordered by length; 0 when there are none. */
export function medianLength(sources: Sources): number {
  const lengths = [...sources]
    .filter(([path]) => BY_HAND.test(path) && !NOT_BY_HAND.test(path))
    .map(([, content]) => lineCount(content))
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}

function importDirections(sources: Sources): Finding[] {
  const findings: Finding[] = [];
  for (const [path, content] of sources) {
    if (!CODE.test(path)) continue;
    for (const { specifier, line } of relativeImports(content)) {
      const target = posix.join(posix.dirname(path), specifier);
      const message = wrongWay(path, target);
      if (message) findings.push({ path, line, rule: 'import-direction', message });
    }
  }
  return findings;
}

/** Why `path` may not import `target`, or null. */
function wrongWay(path: string, target: string): string | null {
  const [from, to] = [topFolder(path), topFolder(target)];
  if (!MAY_IMPORT[from]?.includes(to) && to in MAY_IMPORT) return `${from} must not import ${to}`;
  return upward(path, target);
}

/** Every file of `shared/` is in a room of the list of floors: a new room is a decision. */
function rooms(sources: Sources): Finding[] {
  return [...sources.keys()]
    .filter((path) => path.startsWith('shared/') && CODE.test(path) && !roomOf(path))
    .map((path) => ({ path, line: 1, rule: 'room', message: 'lies in no room that build/floors.ts lists' }));
}

const topFolder = (path: string): string => path.split('/')[0] ?? '';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

function relativeImports(content: string): { specifier: string; line: number }[] {
  return [...content.matchAll(IMPORT)].map((match) => ({
    specifier: match[2] ?? '',
    line: lineCount(content.slice(0, match.index + match[0].length)),
  }));
}

function fileLengths(sources: Sources): Finding[] {
  return [...sources]
    .filter(([path, content]) => BY_HAND.test(path) && !NOT_BY_HAND.test(path) && lineCount(content) > MOST_LINES)
    .map(([path, content]) => ({
      path,
      line: MOST_LINES + 1,
      rule: 'file-length',
      message: `${lineCount(content)} lines, at most ${MOST_LINES}: one reason to exist each`,
    }));
}

function fileNames(sources: Sources): Finding[] {
  return [...sources.keys()]
    .filter((path) => !NOT_BY_HAND.test(path))
    .flatMap((path) => {
      const bad = path.split('/').find((part) => FORBIDDEN_STEM.test(part.replace(/(?:\.test)?\.\w+$/, '')));
      return bad ? [{ path, line: 1, rule: 'file-name', message: `${bad} says nothing about what lives there` }] : [];
    });
}

function ownWords(sources: Sources, { checkoutParent, registryHosts }: Surroundings): Finding[] {
  const words = [...WORDS];
  if (checkoutParent) {
    const pattern = new RegExp(`(?<![\\w.-])${literally(checkoutParent)}(?:/|\\b)`);
    words.push({ rule: 'machine-path', pattern, message: 'names a path of this machine' });
  }
  for (const host of registryHosts) {
    const pattern = new RegExp(`(?<![\\w.-])${literally(host)}(?![\\w-])`);
    words.push({ rule: 'registry-host', pattern, message: 'names the package registry of this machine' });
  }
  return [...sources].flatMap(([path, content]) =>
    words.flatMap(({ rule, pattern, message }) =>
      matchingLines(content, pattern).map((line) => ({ path, line, rule, message })),
    ),
  );
}

function testsThatRun(sources: Sources): Finding[] {
  const checks: [RegExp, string][] = [
    [TEST_IS_OFF, 'a test that is off (or turns the others off)'],
    [TEST_CANNOT_FAIL, 'a test that cannot fail'],
  ];
  return [...sources]
    .filter(([path]) => path.startsWith('test/') && CODE.test(path))
    .flatMap(([path, content]) =>
      checks.flatMap(([pattern, message]) =>
        matchingLines(content, pattern).map((line) => ({ path, line, rule: 'test-runs', message })),
      ),
    );
}

function madeInOnePlace(sources: Sources): Finding[] {
  return [...sources]
    .filter(([path]) => CODE.test(path) && topFolder(path) in MAY_IMPORT)
    .flatMap(([path, content]) =>
      ONE_PLACE.filter(({ allowed }) => !allowed.test(path)).flatMap(({ rule, pattern, message }) =>
        matchingLines(content, pattern, true).map((line) => ({ path, line, rule, message })),
      ),
    );
}

/** Has the table of dependencies. */
const DEPENDENCIES = '.github/CONTRIBUTING.md';

/** Compares the table of dependencies with package.json. */
function listedDependencies(sources: Sources): Finding[] {
  const manifest = JSON.parse(sources.get('package.json') ?? '{}') as Record<string, Record<string, string>>;
  const required = Object.keys(manifest.dependencies ?? {});
  const known = new Set([...required, ...Object.keys(manifest.optionalDependencies ?? {})]);
  const text = sources.get(DEPENDENCIES);
  const finding = (line: number, message: string): Finding => ({
    path: DEPENDENCIES,
    line,
    rule: 'dependencies',
    message,
  });
  if (text === undefined) return required.length > 0 ? [finding(1, 'there is no list of the dependencies')] : [];
  const listed = dependencyRows(text);
  return [
    ...required
      .filter((name) => !listed.some((row) => row.name === name))
      .map((name) => finding(1, `the table of dependencies lacks ${name}`)),
    ...listed
      .filter(({ name }) => !known.has(name))
      .map(({ name, line }) => finding(line, `${name} is no dependency in package.json`)),
  ];
}

/** Table rows below a heading that speaks of dependencies: `| \`name\` | … |`; a cell may name several. */
function dependencyRows(text: string): { name: string; line: number }[] {
  let inSection = false;
  return text.split('\n').flatMap((row, at) => {
    if (/^#{1,6} /.test(row)) inSection = /dependenc/i.test(row);
    const cell = inSection ? /^\|([^|]*)\|/.exec(row)?.[1] : undefined;
    return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((match) => ({ name: match[1] ?? '', line: at + 1 }));
  });
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const lineCount = (content: string): number => content.replace(/\n$/, '').split('\n').length;

/** 1-based numbers of lines that match; `codeOnly` leaves out comments. */
function matchingLines(content: string, pattern: RegExp, codeOnly = false): number[] {
  if (!pattern.test(content)) return [];
  return content.split('\n').flatMap((text, at) => {
    const line = codeOnly ? text.replace(/^\s*(?:\/?\*|\/\/).*|\s\/\/ .*$/, '') : text;
    return pattern.test(line) ? [at + 1] : [];
  });
}
