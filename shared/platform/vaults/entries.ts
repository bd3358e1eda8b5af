// Entries of vaults as a collection: their REST side. They have a store of their own: a value is sealed in the
// transaction that stores it, and no answer contains it.
import * as v from 'valibot';
import { idParam, PAGE_QUERY, pageLimit } from '../../ground/schemas/component.ts';
import type { Served } from '../units/collection.ts';
import { createEntry, deleteEntry, findEntry, listEntries, updateEntry, type VaultEntry } from './entry-store.ts';
import { ENTRY_SOURCES, entryCreateSchema, entryListSchema, entrySchema, entryUpdateSchema } from './schemas.ts';

const placeOf = ({ vault_id, entry_id }: Record<string, string>) => ({ vault_id: vault_id!, entry_id: entry_id! });

export const vaultEntries: Served<VaultEntry> = {
  table: 'vault_entry',
  noun: 'entry',
  plural: 'entries',
  effect: 'immediate',
  saves: null,
  tag: 'Vaults',
  resource: 'vaults',
  path: '/api/v1/vaults/{vault_id}/entries',
  within: idParam('vault_id', 'Id of the vault.').entries,
  param: 'entry_id',
  pages: { all: 'vault-entries', one: 'vault-entry', home: 'vaults' },
  live: true,
  action: 'vault.entry',
  query: {
    ...PAGE_QUERY,
    key: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the entry with exactly this key.'))),
    source: v.optional(v.pipe(v.picklist(ENTRY_SOURCES), v.description('Only entries of this source.'))),
  },
  schemas: { item: entrySchema, list: entryListSchema, create: entryCreateSchema, update: entryUpdateSchema },
  title: ({ key }) => key,
  verbs: {
    list: ({ db, params, query }) => listEntries(db, params.vault_id!, { ...query, limit: pageLimit(query.limit) }),
    find: async ({ db, params }) => (await findEntry(db, params.vault_id!, params.entry_id!)).entry,
    async create({ tx, services, params, body }) {
      const { entry: item, vault_name: vault } = await createEntry(tx, services, params.vault_id!, body);
      return { item, detail: { vault, key: item.key, has_value: item.has_value } };
    },
    async update({ tx, services, params, body, request }) {
      const saved = await updateEntry(tx, services, placeOf(params), body, request.if_match);
      const { entry: item, vault_name: vault, changed } = saved;
      return { item, detail: { vault, key: item.key, changed } };
    },
    async remove({ tx, params, request }) {
      const { entry: item, vault_name: vault } = await deleteEntry(tx, placeOf(params), request.if_match);
      return { item, detail: { vault, key: item.key } };
    },
  },
};
