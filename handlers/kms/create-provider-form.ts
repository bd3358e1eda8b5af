// The form that adds a key provider.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createKeyProvider } from './create-provider.ts';

export const operation = createForm(providers, createKeyProvider, {
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    activates_on_create: fields.checked('activates_on_create'),
  }),
  done: ({ id, name }) => ({ location: pagePath('kms-provider', id), flash: `Provider ${name} is created.` }),
});
