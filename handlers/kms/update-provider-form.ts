// The form that changes a key provider.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateKeyProvider } from './update-provider.ts';

export const operation = updateForm(providers, updateKeyProvider, {
  path: `${pageRoute('kms-provider')}/edit`,
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    activates_on_create: fields.checked('activates_on_create'),
  }),
  done: ({ id }) => ({ location: pagePath('kms-provider', id) }),
});
