// A baseline is read once; one that is damaged, gone or another one is noticed all the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadBaseline, saveBaseline } from '../../../../shared/platform/applied/baseline.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gct-baseline-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const files = [{ path: '/a', content: 'x', mode: 0o644 }];
const facts = new Map([['user ada', { mail: 'ada@lab.test' }]]);
const save = (remembered: unknown = { on: true }) => saveBaseline(data, facts, files, remembered, 'ldap');

test('what was written is what is read, by whoever reads it', async () => {
  const remembered = { on: true, left: undefined, at: new Date(0) };
  const digest = await save(remembered);
  const known = await loadBaseline(data, digest, 'ldap');
  expect(known.facts).toBe(facts);
  expect(known).toEqual(await loadBaseline(data, digest));
  expect(known.remembered).toEqual({ on: true, at: '1970-01-01T00:00:00.000Z' });
  expect(await loadBaseline(data, digest, 'ldap')).toBe(known);
  expect(await loadBaseline(data, digest, 'kms')).toEqual(known);
});

test('damage is noticed', async () => {
  const digest = await save();
  await loadBaseline(data, digest, 'ldap');
  writeFileSync(join(data, 'apply', 'baselines', digest), '{}');
  await expect(loadBaseline(data, digest, 'ldap')).rejects.toThrow('is damaged');
  rmSync(join(data, 'apply', 'baselines', digest));
  await expect(loadBaseline(data, digest, 'ldap')).rejects.toThrow('ENOENT');
});

test('another one of the same unit is another one', async () => {
  const [first, second] = [await save({ at: 1 }), await save({ at: 2 })];
  expect((await loadBaseline(data, first, 'ldap')).remembered).toEqual({ at: 1 });
  expect((await loadBaseline(data, second, 'ldap')).remembered).toEqual({ at: 2 });
});
