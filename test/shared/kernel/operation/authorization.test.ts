// The one check of scopes: who has it goes on, who lacks it hears what lacks it, and a boot loader's HEAD moves nothing.
import { describe, expect, test } from '@jest/globals';
import { type Actor, NOBODY } from '../../../../shared/kernel/access/actor.ts';
import { missingScope } from '../../../../shared/kernel/access/missing-scope.ts';
import type { Scope } from '../../../../shared/kernel/access/scopes.ts';
import { authorization } from '../../../../shared/kernel/operation/middleware/authorization.ts';
import type { AnySpec } from '../../../../shared/kernel/operation/operation.ts';
import type { OperationRequest } from '../../../../shared/kernel/operation/request.ts';

function asked(spec: object, actor: Partial<Actor> = {}, method = 'GET') {
  const request = {
    event: { requestContext: { http: { method } } },
    context: { state: { spec: { method: 'GET', plane: 'api', ...spec } as AnySpec, actor: { ...NOBODY, ...actor } } },
  } as unknown as OperationRequest;
  return () => authorization.before!(request);
}

const has = (...scopes: Scope[]): Partial<Actor> => ({ kind: 'session', role: 'viewer', scopes: new Set(scopes) });

describe('authorization', () => {
  test.each<[string, object, Partial<Actor>]>([
    ['what is public, for nobody', { access: 'public' }, {}],
    ['an operation of a scope, for who has it', { access: { scope: 'read:dns' } }, has('read:dns')],
    ['a page of a scope, for who has it', { access: { session: 'read:dns' } }, has('read:dns')],
    ['a page of every session, for one without scopes', { access: { session: 'any' } }, has()],
  ])('lets through %s', (_what, spec, actor) => {
    expect(asked(spec, actor)()).toBeUndefined();
  });

  test.each<[string, object, Partial<Actor>]>([
    ['an operation, without any scope', { access: { scope: 'read:dns' } }, has()],
    ['an operation, with another scope', { access: { scope: 'write:dns' } }, has('read:dns', 'write:ntp')],
    ['a page, with another scope', { access: { session: 'read:users' } }, has('read:dns')],
    ['the name of a right that every session has, as a scope of a token', { access: { scope: 'read:jobs' } }, {}],
  ])('refuses %s', (_what, spec, actor) => {
    expect(asked(spec, actor)).toThrow(expect.objectContaining({ code: 'insufficient_scope' }));
  });

  test('has a boot loader use the method that the operation states, even where it is public', () => {
    const spec = { plane: 'boot', access: 'public' };
    expect(asked(spec)()).toBeUndefined();
    expect(asked(spec, {}, 'HEAD')).toThrow(
      expect.objectContaining({ code: 'route_not_found', message: 'Nothing answers at this path.' }),
    );
    expect(asked({ access: 'public' }, {}, 'HEAD')()).toBeUndefined();
  });
});

describe('the refusal says what lacks the scope', () => {
  const NARROW = 'This token lists write:dns, but the role of its user, viewer, does not include it.';
  test.each<[string, Partial<Actor>, 'token' | 'role', string]>([
    ['the token', { kind: 'token', role: 'admin' }, 'token', 'This token does not include write:dns.'],
    [
      'the token',
      { kind: 'token', role: 'admin', listed: new Set() },
      'token',
      'This token does not include write:dns.',
    ],
    ['the role of its user', { kind: 'token', role: 'viewer', listed: new Set(['write:dns']) }, 'role', NARROW],
    ['the role', { kind: 'session', role: 'viewer' }, 'role', 'The role viewer does not include write:dns.'],
    ['the token, of nobody', { kind: 'session', role: null }, 'token', 'This token does not include write:dns.'],
  ])('%s', (_what, actor, lacks, sentence) => {
    const role = actor.role ?? undefined;
    const problem = missingScope({ ...NOBODY, ...actor }, 'write:dns');
    expect([problem.code, problem.message]).toEqual(['insufficient_scope', sentence]);
    expect(problem.members).toStrictEqual({ scope: 'write:dns', lacks, ...(role && { role }) });
    expect(missingScope({ ...NOBODY, ...actor }, 'write:dns', 'It saves records.').message).toBe(
      `It saves records. ${sentence}`,
    );
  });
});
