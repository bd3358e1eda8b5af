// The first code of the authenticator that was added at the sign-in: it ends the sign-in, and answers the recovery codes once.
import { pagePath, returnPath } from '../../shared/ground/page-paths.ts';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import { confirmTotp } from '../../shared/kernel/access/second-factor/confirm-totp.ts';
import { confirmTypedSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import {
  endSteps,
  findStep,
  stepCookie,
  stepCookieHeader,
} from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { askedOf } from '../../shared/kernel/access/second-factor/verify.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { factorRefused, letIn } from '../forms/let-in.ts';

export const operation = defineForm(
  {
    id: 'enrolConfirmForm',
    path: `${pagePath('sign-in')}/enrol/confirm`,
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in: confirm the authenticator',
    description:
      'Takes the first code of the authenticator that was begun in this sign-in, starts the session, and answers the recovery codes, once.',
    effect: 'immediate',
    guarded: false,
    audit: ['account.second_factor.add', 'session.start', 'session.refuse'],
    problems: ['session_required', 'state_conflict', 'resource_not_found', 'too_many_attempts'],
    body: confirmTypedSchema,
    async run(context) {
      const { services, request, tx, body, audit } = context;
      const { source_address, secure } = request;
      const step = await findStep(tx, services, stepCookie(request.cookies, secure), request);
      const user = { id: step.user_id, name: step.name };
      if ((await askedOf(tx, { id: user.id, role: step.role })) !== 'enrol') {
        throw new Problem('state_conflict', 'You have a second factor already, or need none any more. Sign in again.');
      }
      const made = await confirmTotp(tx, services, { user_id: user.id, source_address }, body);
      if (!made) {
        audit(factorRefused(user.id));
        return { refuse: invalid({ pointer: '/code', detail: 'This is not the code that the app shows now.' }) };
      }
      await endSteps(tx, user.id);
      const { factor, recovery_codes } = made;
      audit({
        action: 'account.second_factor.add',
        resource_type: 'user',
        resource_id: user.id,
        by: { user_id: user.id, name: user.name },
        detail: { kind: factor.kind, name: factor.name, at_sign_in: true },
      });
      const session = await letIn(context, user, { factor: 'totp' });
      const next = returnPath(step.return_to);
      return { cookies: [session, stepCookieHeader('', secure)], body: { recovery_codes, next } };
    },
  },
  {
    page: `${pagePath('sign-in')}/enrol`,
    secret: ['code'],
    decode: (fields) => ({ factor_id: fields.text('factor_id'), code: fields.text('code') }),
    done: () => ({ location: `${pagePath('sign-in')}/enrol` }),
    shows: true,
  },
);
