// Changes an entry of a vault, including its value.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { updateEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryParams, entrySchema, entryUpdateSchema } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'updateVaultEntry',
  method: 'PATCH',
  path: '/api/v1/vaults/{vault_id}/entries/{entry_id}',
  plane: 'api',
  access: { scope: 'write:vaults' },
  effect: 'immediate',
  tag: 'Vaults',
  summary: 'Update an entry of a vault',
  description:
    'Changes application state immediately. Omitted properties keep their value, the secret among them; null removes it. A secret that is named counts as a change, also when it is the one that is stored: it is not opened to be compared. A key that a Kickstart in use names keeps its name.',
  params: entryParams,
  body: entryUpdateSchema,
  answers: { 200: { description: 'The entry as saved now.', schema: entrySchema, tagged: true } },
  problems: [
    ...([
      'resource_not_found',
      'already_exists',
      'still_referenced',
      'revision_stale',
      'malformed_precondition',
    ] as const),
    'vault_keys_unusable',
  ],
  audit: ['vault.entry.update'],
  async run({ tx, services, params, body, request, audit }) {
    const saved = await updateEntry(tx, services, params, body, request.if_match);
    const { entry, vault_name, changed } = saved;
    const detail = { vault: vault_name, key: entry.key, changed };
    audit({ action: 'vault.entry.update', resource_type: 'vault_entry', resource_id: entry.id, detail });
    return { body: entry, revision: entry.revision };
  },
});
