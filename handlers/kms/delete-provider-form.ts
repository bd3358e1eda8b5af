// The form that deletes a key provider.
import { providers } from '../../shared/services/kms/trust/providers.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteKeyProvider } from './delete-provider.ts';

export const operation = deleteForm(providers, deleteKeyProvider);
