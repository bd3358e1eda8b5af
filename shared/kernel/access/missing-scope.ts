// The refusal for a missing scope. It names what lacks the scope: the token, or its user's role, which may have been
// reduced.
import { Problem } from '../../ground/problems.ts';
import type { Actor } from './actor.ts';
import type { Scope } from './scopes.ts';

/**
 * The 403 for an actor without `scope`. `lead`: a sentence on why it is needed, when the operation alone does not say
 * it.
 */
export function missingScope(actor: Actor, scope: Scope, lead = ''): Problem {
  const { role } = actor;
  const byToken = actor.kind === 'token' && actor.listed?.has(scope) !== true;
  const lacks = byToken || role === null ? 'token' : 'role';
  const sentence =
    lacks === 'token'
      ? `This token does not include ${scope}.`
      : actor.kind === 'token'
        ? `This token lists ${scope}, but the role of its user, ${role}, does not include it.`
        : `The role ${role} does not include ${scope}.`;
  return new Problem('insufficient_scope', lead === '' ? sentence : `${lead} ${sentence}`, {
    scope,
    lacks,
    ...(role !== null && { role }),
  });
}
