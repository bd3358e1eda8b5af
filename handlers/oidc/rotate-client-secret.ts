// Makes a new secret of a client; it is given once.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { visible } from '../../shared/platform/units/collection-store.ts';
import { CLIENTS_PATH, clients, OIDC_TAG, rotateSecret } from '../../shared/services/oidc/clients/clients.ts';
import { clientMadeSchema, secretRotateSchema } from '../../shared/services/oidc/clients/schemas.ts';

export const operation = defineOperation({
  id: 'rotateOidcClientSecret',
  method: 'POST',
  path: `${CLIENTS_PATH}/{oidc_client_id}/rotate-secret`,
  params: idParam('oidc_client_id', 'Id of the client.'),
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Make a new secret of a client',
  description:
    'Changes application state immediately. The new secret is in this answer and can never be read again. The former one is taken as well for `overlap_seconds`, in which the product is given the new one; of an even earlier one nothing is left.',
  body: secretRotateSchema,
  answers: {
    200: { description: 'The client, and its new secret, which is in no other answer.', schema: clientMadeSchema },
  },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition'],
  audit: ['oidc.client.rotate_secret'],
  async run({ tx, services, params, body, request, audit }) {
    const { overlap_seconds } = body;
    const made = await rotateSecret(tx, services, params.oidc_client_id, overlap_seconds, request.if_match);
    const { client, client_secret } = made;
    const detail = { title: client.name, overlap_seconds };
    audit({ action: 'oidc.client.rotate_secret', resource_type: 'oidc_client', resource_id: client.id, detail });
    return { body: { client: visible(clients, client), client_secret } };
  },
});
