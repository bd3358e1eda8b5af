// Saves the SCIM target of a client; its token is sealed and never read back.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { CLIENTS_PATH, clients, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { scimTargetPutSchema, scimTargetSchema, targetParam } from '../../../shared/services/oidc/scim/schemas.ts';
import { AGAIN } from '../../../shared/services/oidc/scim/standing.ts';
import { putTarget } from '../../../shared/services/oidc/scim/targets.ts';
import { serverOf } from '../../../shared/vcf/scim/certificate.ts';

export const operation = defineOperation({
  id: 'putOidcScimTarget',
  method: 'PUT',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim`,
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Save the SCIM target of a client',
  description: `Changes application state immediately: creates the target, or replaces its settings; what is left out gets its default, and the token stays. Nothing is sent before the certificate of the server was confirmed. Where the server becomes another one, the token has to be sent again and its certificate to be confirmed again; where the base URL changes, what was sent to the former place is forgotten and stays there. With \`enabled\` the clock pushes within five minutes of a change of people, groups, mapping or settings; after a push that failed or was refused something it tries again after ${AGAIN.first / 60} minutes, then after twice as long each time, up to ${AGAIN.most / 3600} hours. Connections follow the settings of remote machines.`,
  params: targetParam,
  body: scimTargetPutSchema,
  answers: { 200: { description: 'The target as saved now.', schema: scimTargetSchema, tagged: true } },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition', 'vault_keys_unusable'],
  audit: ['oidc.scim.save'],
  async run({ tx, services, params, body, request, audit }) {
    const client = await findItem(tx, clients, params.oidc_client_id);
    serverOf(body.base_url);
    const { target, changed } = await putTarget(tx, services, client, body, request.if_match);
    if (changed.length === 0) return { body: target, revision: target.revision, unchanged: true };
    const { base_url, enabled, groups, domain, departed } = target;
    const detail = { title: client.name, changed, base_url, enabled, groups, domain, departed };
    audit({ action: 'oidc.scim.save', resource_type: 'oidc_client', resource_id: client.id, detail });
    return { body: target, revision: target.revision };
  },
});
