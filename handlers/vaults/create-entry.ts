// Creates an entry of a vault; its value is sealed and never read back.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { createEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryCreateSchema, entrySchema } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'createVaultEntry',
  method: 'POST',
  path: '/api/v1/vaults/{vault_id}/entries',
  plane: 'api',
  access: { scope: 'write:vaults' },
  effect: 'immediate',
  tag: 'Vaults',
  summary: 'Create an entry of a vault',
  description:
    'Changes application state immediately. The value is sealed under a key of its own and is never part of an answer; without one the entry holds a user name and addresses only. A vault holds at most 2,000 entries.',
  params: idParam('vault_id', 'Id of the vault.'),
  body: entryCreateSchema,
  answers: { 201: { description: 'The entry that was created.', schema: entrySchema, tagged: true } },
  problems: ['resource_not_found', 'already_exists', 'state_conflict', 'vault_keys_unusable'],
  audit: ['vault.entry.create'],
  async run({ tx, services, params, body, audit }) {
    const { entry, vault_name } = await createEntry(tx, services, params.vault_id, body);
    const { id, key, has_value, revision } = entry;
    const detail = { vault: vault_name, key, has_value };
    audit({ action: 'vault.entry.create', resource_type: 'vault_entry', resource_id: id, detail });
    return { status: 201, body: entry, revision };
  },
});
