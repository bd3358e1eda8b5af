// Changes a client of the OpenID Connect provider.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { clients } from '../../shared/services/oidc/clients/clients.ts';

export const operation = updateOperation(clients, {
  id: 'updateOidcClient',
  summary: 'Change a client',
  description:
    'Preset, source and organization stay: to the product, people of another source would be other people. Nobody can sign in to a disabled client, and its tokens are not accepted; switched on again, those that have not run out do.',
  conflicts: ['already_exists'],
});
