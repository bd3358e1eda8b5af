// Answers one client of the OpenID Connect provider.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { clients } from '../../shared/services/oidc/clients/clients.ts';

export const operation = getOperation(clients, {
  id: 'getOidcClient',
  summary: 'Get a client',
  description: 'One client, with when it was last given tokens, and for whom. Its secret is in no answer.',
});
