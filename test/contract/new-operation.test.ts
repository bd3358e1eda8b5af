// The beginning of an operation, written into a copy of the tree: it compiles, loads, and its own scenarios hold.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newOperation, Refused, readName } from '../../build/new-operation.ts';
import { ROOT } from '../../build/source-tree.ts';

const COPIED = ['handlers', 'pages', 'shared', 'runtime', 'build', 'test/setup', 'package.json', 'biome.json'];
const NAMES = [
  'dns/create-widget',
  'dns/list-widgets',
  'ntp/get-widget',
  'ntp/update-widget',
  'new-area/delete-old-policy',
];
const run = promisify(execFile);

let tree: string;
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'groundcrew-operation-'));
  for (const path of [...COPIED, 'tsconfig.json']) cpSync(join(ROOT, path), join(tree, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

test('every verb gives a handler and a test that compile, and the registry knows them', async () => {
  const written = NAMES.flatMap((name) => newOperation(name, tree));
  expect(written).toContain('handlers/dns/create-widget.ts');
  expect(written).toContain('test/handlers/new-area-delete-old-policy.test.ts');
  const registry = readFileSync(join(tree, 'runtime/generated/operations.ts'), 'utf8');
  for (const name of NAMES) expect(registry).toContain(`handlers/${name}.ts`);
  const program = join(tree, 'node_modules/.bin/tsc');
  const { stdout } = await run(program, ['--noEmit', '-p', '.'], { cwd: tree }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout.split('\n').filter((line) => /widget|policy|generated/.test(line))).toEqual([]);
}, 300_000);

test('the generated scenarios hold', async () => {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '-c', 'build/jest.config.mjs', '-i'];
  // What is transformed here goes with the copy.
  jest.push('--cacheDirectory', join(tree, 'cache'));
  const { stderr } = await run(process.execPath, jest, { cwd: tree }).catch((error: { stderr: string }) => error);
  expect(stderr).toMatch(/^Test Suites: 5 passed, 5 total$/m);
}, 300_000);

test('nothing is overwritten', () => {
  expect(() => newOperation('dns/create-widget', tree)).toThrow(/exists already; nothing was written/);
});

test.each([
  ['dns', /no <area>\/<verb>-<thing>/],
  ['dns/frobnicate-zone', /none of the verbs/],
  ['../dns/create-zone', /no <area>/],
  ['scheduled/create-zone', /no operation/],
])('%s is refused', (name, message) => {
  expect(() => readName(name)).toThrow(Refused);
  expect(() => readName(name)).toThrow(message);
});

test('a thing is named in the singular', () => {
  expect(['dns/list-records', 'dns/list-policies', 'dns/list-addresses'].map((name) => readName(name).thing)).toEqual([
    'record',
    'policy',
    'address',
  ]);
});
