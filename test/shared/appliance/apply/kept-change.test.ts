// What is kept of a change leads back to the same facts, though only those are written down that differ; of a unit that goes back
// by its paths, none are.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keep, keptFolder, loadKept } from '../../../../shared/appliance/apply/kept.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import type { Data } from '../../../../shared/platform/units/facts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gct-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const host = { read: async () => 'before' } as unknown as Host;
const facts = (all: [string, Data][]) => new Map(all);

async function keptOf(unit: string, before: Map<string, Data> | null, after: Map<string, Data>) {
  const place = keptFolder(folder, 'plan_a', unit);
  const change = { before, after, written: ['/a'], removed: ['/b'] };
  await keep(place, host, new Map([['/a', 0o600]]), { earlier: { some: 'state' }, change });
  return { kept: (await loadKept(place))!, text: readFileSync(join(place, 'kept.json'), 'utf8') };
}

const BEFORE: [string, Data][] = [
  ['stays', { a: ['x', { b: null }], c: true }],
  ['goes', 1],
  ['becomes another', [1, 2]],
];
const AFTER: [string, Data][] = [
  ['stays', { a: ['x', { b: null }], c: true }],
  ['becomes another', [2, 1]],
  ['comes', ''],
];

test.each<[string, [string, Data][] | null, [string, Data][]]>([
  ['of some facts', BEFORE, AFTER],
  ['back again', AFTER, BEFORE],
  ['of none', BEFORE, BEFORE],
  ['to nothing', BEFORE, []],
  ['of what was never applied', null, AFTER],
])('a change %s', async (_what, before, after) => {
  const { kept } = await keptOf('network', before && facts(before), facts(after));
  const files = [
    { path: '/a', mode: 0o600, content: 'before' },
    { path: '/b', mode: 0o644, content: 'before' },
  ];
  const change = { before: before && facts(before), after: facts(after), written: ['/a'], removed: ['/b'] };
  expect(kept).toEqual({ files, earlier: { some: 'state' }, change });
});

test('what stays is written once, and not at all where nothing reads it', async () => {
  const long = 'a value that is long enough to be counted';
  const many = facts(Array.from({ length: 50 }, (_, at) => [`user ${at}`, long]));
  const { text } = await keptOf('network', many, new Map([...many, ['user 7', 'another']]));
  expect(text.split(long)).toHaveLength(51);
  const ldap = await keptOf('ldap', many, new Map([...many, ['user 7', 'another']]));
  expect(ldap.text).not.toContain(long);
  expect(ldap.kept.change).toEqual({ before: new Map(), after: new Map(), written: ['/a'], removed: ['/b'] });
  expect((await keptOf('kms', null, many)).kept.change.before).toBeNull();
});
