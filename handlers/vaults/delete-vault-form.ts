// The form that deletes a vault: with its entries only where that was ticked.

import * as v from 'valibot';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { deleteVault as removeVault } from '../../shared/platform/vaults/vault-store.ts';
import { operation as deleteVault } from './delete-vault.ts';

export const operation = defineForm(
  {
    of: deleteVault,
    path: `${pageRoute('vault')}/delete`,
    access: { session: 'write:vaults' },
    params: idParam('vault_id', 'Id of the vault.'),
    query: v.strictObject({}),
    body: v.strictObject({ with_entries: v.boolean() }),
    async run({ tx, params, body, request, audit }) {
      const { with_entries } = body;
      const vault = await removeVault(tx, params.vault_id, { if_match: request.if_match, with_entries });
      const detail = { name: vault.name, entries: vault.entry_count };
      audit({ action: 'vault.delete', resource_type: 'vault', resource_id: vault.id, detail });
      return { body: { name: vault.name } };
    },
  },
  {
    page: `${pageRoute('vault')}/delete`,
    decode: (fields) => ({ with_entries: fields.checked('with_entries') }),
    done: ({ body }) => ({
      location: pagePath('vaults'),
      flash: `Vault ${(body as { name: string }).name} is deleted.`,
    }),
  },
);
