// The second step of signing in: a code of the authenticator, or a recovery code.
import { pagePath, returnPath } from '../../shared/ground/page-paths.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { codeTypedSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import {
  endStep,
  findStep,
  stepCookie,
  stepCookieHeader,
} from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { verifySecondFactor } from '../../shared/kernel/access/second-factor/verify.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { factorRefused, letIn } from '../forms/let-in.ts';

export const operation = defineForm(
  {
    id: 'secondFactorForm',
    path: `${pagePath('sign-in')}/second-factor`,
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in: the second factor',
    description:
      'After the right password, within five minutes and from the same network: a code of the authenticator or a recovery code. A code works once. Wrong ones are slowed as passwords are, and per user besides.',
    effect: 'immediate',
    guarded: false,
    audit: ['session.start', 'session.refuse'],
    problems: ['session_required', 'too_many_attempts'],
    body: codeTypedSchema,
    async run(context) {
      const { services, request, tx, body, audit } = context;
      const { source_address, secure } = request;
      const step = await findStep(tx, services, stepCookie(request.cookies, secure), request);
      const of = { user_id: step.user_id, source_address };
      const factor = await verifySecondFactor(tx, services, of, body.code);
      if (!factor) {
        audit(factorRefused(step.user_id));
        return { refuse: invalid({ pointer: '/code', detail: 'This code is wrong, or it was used before.' }) };
      }
      await endStep(tx, step);
      const session = await letIn(context, { id: step.user_id, name: step.name }, { factor });
      return { cookies: [session, stepCookieHeader('', secure)], body: { return_to: step.return_to } };
    },
  },
  {
    page: `${pagePath('sign-in')}/second-factor`,
    secret: ['code'],
    decode: (fields) => ({ code: fields.text('code') }),
    done: (answer) => ({ location: returnPath((answer.body as { return_to: string }).return_to) }),
  },
);
