// Removes an entry of a vault with its value.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { deleteEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryParams } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'deleteVaultEntry',
  method: 'DELETE',
  path: '/api/v1/vaults/{vault_id}/entries/{entry_id}',
  plane: 'api',
  access: { scope: 'write:vaults' },
  effect: 'immediate',
  tag: 'Vaults',
  summary: 'Delete an entry of a vault',
  description:
    'Changes application state immediately. The value is lost. Refused while a Kickstart in use names the key.',
  params: entryParams,
  answers: { 204: { description: 'The entry is gone.' } },
  problems: ['resource_not_found', 'still_referenced', 'revision_stale', 'malformed_precondition'],
  audit: ['vault.entry.delete'],
  async run({ tx, params, request, audit }) {
    const { entry, vault_name } = await deleteEntry(tx, params, request.if_match);
    const detail = { vault: vault_name, key: entry.key };
    audit({ action: 'vault.entry.delete', resource_type: 'vault_entry', resource_id: entry.id, detail });
    return { status: 204 };
  },
});
