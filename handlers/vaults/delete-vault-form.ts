// The form that deletes a vault: with its entries only where that was ticked.

import * as v from 'valibot';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteVault } from './delete-vault.ts';

export const operation = deleteForm(vaults, deleteVault, {
  body: v.strictObject({ with_entries: v.boolean() }),
  decode: (fields) => ({ with_entries: fields.checked('with_entries') }),
});
