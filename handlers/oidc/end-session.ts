// Ends a session at the OpenID Connect provider.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { OIDC_TAG } from '../../shared/services/oidc/clients/clients.ts';
import { endOidcSession } from '../../shared/services/oidc/sessions/sessions.ts';

export const operation = defineOperation({
  id: 'endOidcSession',
  method: 'DELETE',
  path: '/api/v1/oidc/sessions/{session_id}',
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: OIDC_TAG,
  summary: 'End a session',
  description:
    'The session ends with the grants, codes, access tokens and refresh tokens that clients got in it. ID tokens stay valid until they expire, and a client may keep a session of its own. Changes application state immediately.',
  params: idParam('session_id', 'Id of the session.'),
  answers: { 204: { description: 'It has ended.' } },
  problems: ['resource_not_found'],
  audit: ['oidc.session.end'],
  async run({ tx, params, request, audit }) {
    const { id, user_name } = await endOidcSession(tx, params.session_id, request.now);
    audit({ action: 'oidc.session.end', resource_type: 'oidc_session', resource_id: id, detail: { user_name } });
    return { status: 204 };
  },
});
