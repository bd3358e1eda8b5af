// Removes a vault, with its entries where that is asked for.
import * as v from 'valibot';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { deleteVault } from '../../shared/platform/vaults/vault-store.ts';

export const operation = defineOperation({
  id: 'deleteVault',
  method: 'DELETE',
  path: '/api/v1/vaults/{vault_id}',
  plane: 'api',
  access: { scope: 'write:vaults' },
  effect: 'immediate',
  tag: 'Vaults',
  summary: 'Delete a vault',
  description:
    'Changes application state immediately. A vault that has entries is only removed with `with_entries=true`; their values are lost then. Refused while a Kickstart in use names the vault.',
  params: idParam('vault_id', 'Id of the vault.'),
  query: v.strictObject({
    with_entries: v.optional(
      v.pipe(
        v.picklist(['true', 'false'], 'Expected true or false.'),
        v.description('true: its entries are removed as well. Default false.'),
      ),
    ),
  }),
  answers: { 204: { description: 'The vault is gone.' } },
  problems: ['resource_not_found', 'still_referenced', 'revision_stale', 'malformed_precondition'],
  audit: ['vault.delete'],
  async run({ tx, params, query, request, audit }) {
    const options = { if_match: request.if_match, with_entries: query.with_entries === 'true' };
    const { id, name, entry_count } = await deleteVault(tx, params.vault_id, options);
    const detail = { name, entries: entry_count };
    audit({ action: 'vault.delete', resource_type: 'vault', resource_id: id, detail });
    return { status: 204 };
  },
});
