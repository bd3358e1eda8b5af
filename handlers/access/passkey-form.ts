// The second step of signing in: a passkey, which the script of the page asks the browser for.
import * as v from 'valibot';
import { pagePath, returnPath } from '../../shared/ground/page-paths.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { credentialIn, usedCredentialSchema } from '../../shared/kernel/access/second-factor/passkey-schemas.ts';
import { findPolicy } from '../../shared/kernel/access/second-factor/policy.ts';
import {
  endStep,
  findStep,
  stepCookie,
  stepCookieHeader,
  takeChallenge,
} from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { factorGuesser } from '../../shared/kernel/access/second-factor/verify.ts';
import { forgetFailures, noteFailure, refuseIfThrottled } from '../../shared/kernel/access/throttle.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { factorRefused, letIn } from '../forms/let-in.ts';

const WRONG = 'This passkey did not answer what was asked here. Use another factor, or begin the sign-in again.';

export const operation = defineForm(
  {
    id: 'passkeyForm',
    path: `${pagePath('sign-in')}/second-factor/passkey`,
    access: 'public',
    tag: 'Authentication',
    summary: 'Sign in: a passkey',
    description:
      'After the right password, within five minutes and from the same network: the answer of a passkey to the challenge of this sign-in, which is taken once.',
    effect: 'immediate',
    guarded: false,
    audit: ['session.start', 'session.refuse'],
    problems: ['session_required', 'too_many_attempts'],
    bodyLimit: 16_384,
    body: v.strictObject({ credential: usedCredentialSchema }),
    async run(context) {
      const { services, request, tx, body, audit } = context;
      const { source_address, secure, now } = request;
      const step = await findStep(tx, services, stepCookie(request.cookies, secure), request);
      const { user_id, challenge, rp_id, origin } = step;
      const guesser = factorGuesser(services.keys, user_id, source_address);
      await refuseIfThrottled(tx, guesser, now);
      const { usePasskey } = await import('../../shared/kernel/access/second-factor/passkey.ts');
      const { user_verification } = await findPolicy(tx);
      const asked = (await takeChallenge(tx, step)) && {
        user_id,
        challenge: challenge!,
        rp_id: rp_id!,
        origin: origin!,
      };
      if (!asked || !(await usePasskey(tx, asked, body.credential, user_verification, now))) {
        await noteFailure(tx, guesser, now);
        audit(factorRefused(user_id));
        return { refuse: invalid({ pointer: '/passkey', detail: WRONG }) };
      }
      await forgetFailures(tx, guesser);
      await endStep(tx, step);
      const session = await letIn(context, { id: user_id, name: step.name }, { factor: 'passkey' });
      return { cookies: [session, stepCookieHeader('', secure)], body: { return_to: step.return_to } };
    },
  },
  {
    page: `${pagePath('sign-in')}/second-factor`,
    secret: 'all',
    decode: (fields) => ({ credential: credentialIn(fields.values.get('credential') ?? '') }),
    done: (answer) => ({ location: returnPath((answer.body as { return_to: string }).return_to) }),
  },
);
