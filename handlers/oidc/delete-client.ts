// Deletes a client of the OpenID Connect provider.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { clients } from '../../shared/services/oidc/clients/clients.ts';

export const operation = deleteOperation(clients, {
  id: 'deleteOidcClient',
  summary: 'Delete a client',
  description: 'Nobody signs in to it any more, and its tokens open nothing from now on.',
  conflicts: [],
});
