// Ends all sessions of one person at the OpenID Connect provider.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { OIDC_TAG } from '../../shared/services/oidc/clients/clients.ts';
import { oidcPersonSchema, oidcSessionsEndedSchema } from '../../shared/services/oidc/sessions/schemas.ts';
import { endOidcSessionsOf } from '../../shared/services/oidc/sessions/sessions.ts';

export const operation = defineOperation({
  id: 'endOidcSessions',
  method: 'POST',
  path: '/api/v1/oidc/sessions/end',
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: OIDC_TAG,
  summary: 'End the sessions of a person',
  description:
    'Ends all of one person, a user of the appliance or of the directory, with grants, codes, access tokens, refresh tokens and sign-ins under way at all clients. The person may sign in again. Where there is no session, the answer is 0. Changes application state immediately.',
  body: oidcPersonSchema,
  answers: { 200: { description: 'How many ended.', schema: oidcSessionsEndedSchema } },
  audit: ['oidc.sessions.end'],
  async run({ tx, body: { subject }, request, audit }) {
    const oidc_sessions_ended = await endOidcSessionsOf(tx, subject, request.now);
    const detail = { subject, oidc_sessions_ended };
    audit({ action: 'oidc.sessions.end', resource_type: 'oidc', resource_id: null, detail });
    return { body: { oidc_sessions_ended } };
  },
});
