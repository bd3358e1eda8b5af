// The words of the audit log: every action and kind of thing that operations record has them, and they find events.
import { expect, test } from '@jest/globals';
import { operations } from '../../../../runtime/generated/operations.ts';
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
