// The form that changes a client.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { clients } from '../../shared/services/oidc/clients/clients.ts';
import { updateForm } from '../forms/collection-form.ts';
import { clientFields } from '../forms/oidc-client-fields.ts';
import { operation as updateOidcClient } from './update-client.ts';

export const operation = updateForm(clients, updateOidcClient, {
  path: `${pageRoute('oidc-client')}/edit`,
  decode: (fields) => ({
    ...clientFields(fields),
    enabled: fields.checked('enabled'),
    requires_pkce: fields.checked('requires_pkce'),
    refresh_tokens: fields.checked('refresh_tokens'),
  }),
  done: ({ id }) => ({ location: pagePath('oidc-client', id) }),
});
