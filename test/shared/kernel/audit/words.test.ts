// The words of the audit log: every action and kind of thing that operations record has them, and they find events.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow, ROOT } from '../../../../build/source-tree.ts';
import { operations } from '../../../../runtime/generated/operations.ts';
import { PLAN_STATES } from '../../../../shared/appliance/apply/plan.ts';
import {
  ACTION_WORDS,
  actionsSaying,
  actionWords,
  actorWords,
  resourceWords,
} from '../../../../shared/kernel/audit/words.ts';

test('every action that an operation may write has words', () => {
  const actions = operations.flatMap(({ spec }) =>
    'audit' in spec && Array.isArray(spec.audit) ? (spec.audit as string[]) : [],
  );
  expect(actions.length).toBeGreaterThan(50);
  expect([...new Set(actions)].filter((action) => !ACTION_WORDS.has(action))).toEqual([]);
});

/** Actions that stand in the source as they are, those of jobs and of the appliance itself among them. */
const WRITTEN = ['shared', 'handlers']
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\baction: '([\w-]+(?:\.[\w-]+)+)'/g)])
  .map(([, action = '']) => action);

test('every action that a job or the appliance itself writes has words', () => {
  expect(WRITTEN.length).toBeGreaterThan(50);
  const begins = new Set([...ACTION_WORDS.keys()].map((action) => action.replace(/\.\w+$/, '')));
  // A collection names what its actions begin with.
  expect([...new Set(WRITTEN)].filter((action) => !ACTION_WORDS.has(action) && !begins.has(action))).toEqual([]);
  const ends = ['succeeded', ...PLAN_STATES.filter((state) => ['failed', 'cancelled', 'reverted'].includes(state))];
  expect(ends.filter((end) => !ACTION_WORDS.has(`apply.${end}`))).toEqual([]);
});

test('no words contain a code, and none are said twice', () => {
  const said = [...ACTION_WORDS.values()];
  expect(said.filter((words) => /[_.]/.test(words))).toEqual([]);
  expect(new Set(said).size).toBe(said.length);
});

test('typed words find the actions that say all of them, in any order', () => {
  expect(actionsSaying('record dns deleted')).toEqual(['dns.record.delete']);
  expect(actionsSaying('API token')).toEqual(['token.create', 'token.revoke']);
  expect(actionsSaying('dns.record')).toEqual([]);
});

test('what this program does not know stays a code', () => {
  expect(actionWords('later.thing.done')).toBe('later.thing.done');
  expect(resourceWords('later_thing')).toBe('later thing');
});

test.each([
  ['user', 'apply', 'apply'],
  ['system', 'apply', 'Appliance apply'],
  ['system', 'vault-rotate (ada)', 'Key rotation (ada)'],
  ['system', 'later-part', 'later part'],
])('%s %s did it: %s', (kind, name, words) => {
  expect(actorWords({ kind, name })).toBe(words);
});
