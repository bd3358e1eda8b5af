// Deletes a client of the OpenID Connect provider.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { clients } from '../../shared/services/oidc/clients/clients.ts';

export const operation = deleteOperation(clients, {
  id: 'deleteOidcClient',
  summary: 'Delete a client',
  description: 'Nobody can sign in to it any longer, and its tokens stop working.',
  conflicts: [],
});
