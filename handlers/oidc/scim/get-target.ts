// Answers the SCIM target of a client.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { CLIENTS_PATH, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { scimTargetSchema, targetParam } from '../../../shared/services/oidc/scim/schemas.ts';
import { requireTarget } from '../../../shared/services/oidc/scim/targets.ts';

export const operation = defineOperation({
  id: 'getOidcScimTarget',
  method: 'GET',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim`,
  access: { scope: 'read:oidc' },
  tag: OIDC_TAG,
  summary: 'Get the SCIM target of a client',
  description:
    'Where the people and groups of the client are pushed to, whose certificate was confirmed, and how the last push ended. The token is in no answer.',
  params: targetParam,
  answers: {
    200: {
      description: 'The target, with the entity tag that If-Match takes.',
      schema: scimTargetSchema,
      tagged: true,
      live: true,
    },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const target = await requireTarget(db, params.oidc_client_id);
    return { body: target, revision: target.revision };
  },
});
