// Lists the clients of the OpenID Connect provider.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { clients } from '../../shared/services/oidc/clients/clients.ts';

export const operation = listOperation(clients, {
  id: 'listOidcClients',
  summary: 'List clients',
  description: 'All clients by name, with when they were last given tokens, and for whom. Secrets are in no answer.',
});
