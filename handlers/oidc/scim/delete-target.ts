// Deletes the SCIM target of a client.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { CLIENTS_PATH, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { targetParam } from '../../../shared/services/oidc/scim/schemas.ts';
import { removeTarget } from '../../../shared/services/oidc/scim/targets.ts';

export const operation = defineOperation({
  id: 'deleteOidcScimTarget',
  method: 'DELETE',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim`,
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Delete the SCIM target of a client',
  description:
    'Changes application state immediately: the token and the list of what was sent are deleted, and nothing more is pushed. Users and groups at the target stay as they are. A push that runs ends with a failure.',
  params: targetParam,
  answers: { 204: { description: 'The target is gone.' } },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition'],
  audit: ['oidc.scim.delete'],
  async run({ tx, params, request, audit }) {
    const { client_id, base_url } = await removeTarget(tx, params.oidc_client_id, request.if_match);
    audit({ action: 'oidc.scim.delete', resource_type: 'oidc_client', resource_id: client_id, detail: { base_url } });
    return { status: 204 };
  },
});
