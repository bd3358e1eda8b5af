// What the service loads when it starts: an idle one keeps the source of it, and what Node loads for it. Counted, not measured, in
// the program as it is bundled.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundlePrograms } from '../../build/bundle.ts';
import { ROOT } from '../../build/source-tree.ts';

/**
 * Bytes of source that the service loads when it starts. Is there more now? What only one step needs is loaded at that step
 * (`await import('./…')`, `lazily` for a kind of job). What every service needs is worth another number here.
 */
const LOADED = 4_348_000;
const LEEWAY = 0.05;

// Below the repository, as `dist` is: that is where packages are found that are not bundled.
const CACHE = join(ROOT, 'node_modules/.cache');
mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'loaded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let service: string;
beforeAll(async () => {
  await bundlePrograms({ main: 'runtime/main.ts' }, folder);
  const [file, ...others] = readdirSync(join(folder, 'chunks')).filter((name) => name.startsWith('service-'));
  expect(others).toEqual([]);
  service = join(folder, 'chunks', file!);
}, 120_000);

/** What a process has loaded that imports the service and does not start it. */
function loaded(): { builtin: string[]; files: string[]; outside: string[] } {
  const script = `
    import Module, { registerHooks } from 'node:module';
    const files = [];
    registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.push(url); return next(url, context); } });
    await import(${JSON.stringify(pathToFileURL(service).href)});
    console.log(JSON.stringify({ builtin: process.moduleLoadList, files, outside: Object.keys(Module._cache) }));`;
  const args = ['--input-type=module', '--eval', script];
  const { NODE_OPTIONS: _, ...env } = process.env;
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1e8 })) as never;
}

test('the service loads no more source, and of Node neither the HTTP client nor Web Cryptography', () => {
  const { builtin, files, outside } = loaded();
  const paths = files.map((url) => new URL(url).pathname);
  expect([...outside, ...paths].filter((path) => relative(folder, path).startsWith('..'))).toEqual([]);
  expect(paths).toContain(service);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(bytes).toBeLessThan(LOADED * (1 + LEEWAY));
  // A service that became much smaller would give what comes next room for nothing.
  expect(bytes).toBeGreaterThan(LOADED * (1 - 3 * LEEWAY));
  expect(builtin.filter((name) => /undici|webcrypto/.test(name))).toEqual([]);
});

test('a stack trace names functions, and its line leads to the statement', () => {
  const text = readFileSync(service, 'utf8');
  expect(text).toMatch(/async function runService\(/);
  const lines = text.split('\n');
  expect(text.length / lines.length).toBeLessThan(200);
});
