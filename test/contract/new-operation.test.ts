// The beginning of an operation, written into a copy of the tree: it compiles, loads, and its own scenarios hold.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newOperation, Refused, readName, roomOf } from '../../build/new-operation.ts';
import { ROOT } from '../../build/source-tree.ts';

const COPIED = ['handlers', 'pages', 'shared', 'runtime', 'build', 'test/setup', 'package.json', 'biome.json'];
const NAMES = [
  'dns/create-widget',
  'dns/list-widgets',
  'ntp/get-widget',
  'ntp/update-widget',
  'offline-depot/rotate-widget',
  'vaults/preview-widget',
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
  expect(written.slice(0, 2)).toEqual([
    'handlers/dns-dhcp/dns/create-widget.ts',
    'test/handlers/dns-dhcp/dns/create-widget.test.ts',
  ]);
  expect(written).toContain('test/handlers/new-area/delete-old-policy.test.ts');
  const registry = readFileSync(join(tree, 'runtime/generated/operations.ts'), 'utf8');
  for (const path of written.filter((each) => each.startsWith('handlers/'))) expect(registry).toContain(path);
  const program = join(tree, 'node_modules/.bin/tsc');
  const { stdout } = await run(program, ['--noEmit', '-p', '.'], { cwd: tree }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout.split('\n').filter((line) => /widget|policy|generated/.test(line))).toEqual([]);
}, 300_000);

/** What Jest tells at the end of the generated tests, or of those that are named. */
async function told(...paths: string[]): Promise<string> {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '-c', 'build/jest.config.mjs', '-i'];
  // What is transformed here goes with the copy.
  jest.push('--cacheDirectory', join(tree, 'cache'), ...paths);
  return (await run(process.execPath, jest, { cwd: tree }).catch((error: { stderr: string }) => error)).stderr;
}

test('the generated scenarios hold', async () => {
  expect(await told()).toMatch(/^Test Suites: 7 passed, 7 total$/m);
}, 300_000);

test('a generated test fails where its operation answers something else with the same status', async () => {
  const changes = {
    'dns-dhcp/dns/create-widget': ['name: body.name }', "name: 'other' }"],
    'offline-depot/rotate-widget': ["notFound('This", "notFound('That"],
  } as const;
  for (const [name, [before, after]] of Object.entries(changes)) {
    const path = join(tree, `handlers/${name}.ts`);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(before, after));
  }
  const paths = Object.keys(changes).map((name) => `test/handlers/${name}.test.ts`);
  expect(await told('--runTestsByPath', ...paths)).toMatch(/^Test Suites: 2 failed, 2 total$/m);
}, 300_000);

test('nothing is overwritten', () => {
  expect(() => newOperation('dns/create-widget', tree)).toThrow(/exists already; nothing was written/);
});

test.each([
  ['dns', /no <folder>\/<verb>-<thing>/],
  ['dns/zone', /no <folder>/],
  ['../dns/create-zone', /no <folder>/],
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

test('an operation has the paths, scopes and tag of those beside it', () => {
  expect(readName('offline-depot/get-widget')).toMatchObject({
    area: 'private-cloud-services',
    resource: 'depot',
    tag: 'Offline depot',
  });
  expect(readName('names/frobnicate-sets')).toMatchObject({ area: 'vcf-helper', resource: 'dns', verb: 'frobnicate' });
});

test.each([
  ['dns-dhcp/dns', 'shared/services/dns-dhcp/dns'],
  ['interfaces', 'shared/platform/interfaces'],
  ['remote-depot', 'shared/vcf/remote-depot'],
  ['new-area', 'shared/services/new-area (a new room)'],
])('the rules of %s live in %s', (place, room) => expect(roomOf(place)).toBe(room));
