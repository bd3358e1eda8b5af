// Adds a client of the OpenID Connect provider; its secret is given once.
import { invalid } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { visible } from '../../shared/platform/units/collection-store.ts';
import { isOrganization } from '../../shared/services/ldap/signing-in.ts';
import { CLIENTS_PATH, clients, createClient, OIDC_TAG } from '../../shared/services/oidc/clients/clients.ts';
import { clientCreateSchema, clientMadeSchema } from '../../shared/services/oidc/clients/schemas.ts';

export const operation = defineOperation({
  id: 'createOidcClient',
  method: 'POST',
  path: CLIENTS_PATH,
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Add a client',
  description:
    'Changes application state immediately: people can sign in to the client as soon as the provider is in force. The secret is in this answer and can never be read again: only a digest is kept. What `requires_pkce` and `refresh_tokens` are where they are left out, the preset decides: vCenter and Harbor send no code challenge, and Harbor and Grafana ask for refresh tokens.',
  body: clientCreateSchema,
  answers: {
    201: {
      description: 'The client that was created, and its secret, which is in no other answer.',
      schema: clientMadeSchema,
      located: true,
    },
  },
  problems: ['already_exists', 'state_conflict'],
  audit: ['oidc.client.create'],
  async run({ tx, services, actor, body, audit }) {
    const { source, organization } = body;
    if (source === 'appliance' && organization !== '')
      throw invalid({ pointer: '/organization', detail: 'Users of the appliance are of no organization.' });
    if (source === 'directory' && !(await isOrganization(tx, organization)))
      throw invalid({ pointer: '/organization', detail: 'The directory has no such organization in use.' });
    const { client, client_secret } = await createClient(tx, services, actor.name, body);
    const detail = { title: client.name, ...clients.facts(client) };
    audit({ action: 'oidc.client.create', resource_type: 'oidc_client', resource_id: client.id, detail });
    const headers = { location: `${CLIENTS_PATH}/${client.id}` };
    return { status: 201, body: { client: visible(clients, client), client_secret }, headers };
  },
});
