// The form that adds a client; its page shows the secret once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { clientFields } from '../forms/oidc-client-fields.ts';
import { operation as createOidcClient } from './create-client.ts';

const PAGE = `${pagePath('oidc-clients')}/new`;

export const operation = formOf(createOidcClient, {
  path: PAGE,
  decode: (fields) => {
    const pkce = fields.text('requires_pkce');
    const [source = '', organization = ''] = fields.text('people').split(':');
    return {
      ...{ source, organization },
      ...clientFields(fields),
      preset: fields.text('preset'),
      ...(pkce !== '' && { requires_pkce: pkce === 'yes' }),
    };
  },
  done: () => ({ location: pagePath('oidc-clients') }),
  shows: true,
});
