// Begins to sign in at the external provider: the answer says where the browser goes on.
import * as v from 'valibot';
import { pagePath, returnPath } from '../../../shared/ground/page-paths.ts';
import { Problem } from '../../../shared/ground/problems.ts';
import { findProvider, isUsable, type UsableProvider } from '../../../shared/kernel/access/external/provider.ts';
import {
  beginSignIn,
  externalCookieHeader,
  newQuestions,
  refuseTooMany,
} from '../../../shared/kernel/access/external/under-way.ts';
import { refuseIfThrottled } from '../../../shared/kernel/access/throttle.ts';
import { RETURN_MOST } from '../../../shared/kernel/access/visitor-form.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { originOf } from '../../../shared/kernel/operation/problem-document.ts';
import { CALLBACK, externalGuesser } from '../../forms/external-sign-in.ts';

interface Begun {
  id: string;
  state: string;
  redirect_uri: string;
  location: string;
  provider: UsableProvider;
}

export const operation = defineForm(
  {
    id: 'beginExternalSignInForm',
    path: `${pagePath('sign-in')}/external`,
    access: 'public',
    tag: 'Authentication',
    summary: 'Begin to sign in at the external provider',
    description:
      'Answers the address at the external provider to which the browser goes, and binds the sign-in to this browser for ten minutes, once. Slowed by failures as a sign-in with a password is.',
    effect: 'immediate',
    guarded: false,
    audit: ['session.external'],
    problems: [
      ...(['external_sign_in_refused', 'too_many_attempts', 'target_refused', 'certificate_changed'] as const),
      ...(['remote_unreachable', 'remote_timeout', 'remote_not_tls', 'remote_tls_too_old'] as const),
      ...(['remote_answer_unusable', 'remote_name_unknown'] as const),
    ],
    body: v.strictObject({ return_to: v.pipe(v.string(), v.maxLength(RETURN_MOST)) }),
    async prepare({ services, request }): Promise<Begun> {
      const { keys, store } = services;
      const provider = await findProvider(store);
      if (!isUsable(provider))
        throw new Problem('external_sign_in_refused', 'No external provider is offered now. Sign in with a password.');
      await refuseIfThrottled(store, externalGuesser(keys, request.source_address), request.now);
      // Before anything is dialled: nobody has to be known here to make the appliance connect out.
      await refuseTooMany(store, services, request.source_address);
      const { id, ...questions } = newQuestions(services);
      const redirect_uri = `${originOf(services, request)}${CALLBACK}`;
      const { authorizationUrl } = await import('../../../shared/vcf/external-sign-in/flow.ts');
      const location = await authorizationUrl(services, provider, { ...questions, redirect_uri });
      return { id, state: questions.state, redirect_uri, location, provider };
    },
    async run({ services, tx, request, body, prepared, audit }) {
      const { id, state, redirect_uri, location, provider } = prepared as Begun;
      const { source_address, secure } = request;
      const about = { provider_revision: provider.revision, redirect_uri, source_address };
      await beginSignIn(tx, services, { id, state }, { ...about, return_to: returnPath(body.return_to) });
      const detail = { provider: provider.name };
      audit({ action: 'session.external', resource_type: 'session', resource_id: null, detail });
      return { cookies: [externalCookieHeader(id, secure)], body: { location } };
    },
  },
  {
    page: pagePath('sign-in'),
    decode: (fields) => ({ return_to: fields.text('return_to').slice(0, RETURN_MOST) }),
    done: () => ({ location: pagePath('sign-in') }),
    shows: true,
  },
);
