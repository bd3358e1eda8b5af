// Vaults: the declaration of the collection, and their own verbs.
import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import { PAGE_QUERY } from '../../ground/schemas/component.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { type Collection, type Shell, told } from '../units/collection.ts';
import { createItem, findItem, updateItem } from '../units/collection-store.ts';
import { kickstartBlockers, NAMED_MOST, namedByKickstarts, refuseWhileNamed } from './kickstart-names.ts';
import { vaultCreateSchema, vaultListSchema, vaultSchema, vaultUpdateSchema } from './schemas.ts';

export type Vault = v.InferOutput<typeof vaultSchema>;

export const vaults: Collection<Vault> = {
  table: 'vault',
  prefix: 'vault',
  noun: 'vault',
  plural: 'vaults',
  effect: 'immediate',
  saves: null,
  tag: 'Vaults',
  resource: 'vaults',
  path: '/api/v1/vaults',
  param: 'vault_id',
  pages: { all: 'vaults', one: 'vault', home: 'vaults' },
  live: true,
  action: 'vault',
  columns: {
    name: 'text',
    description: 'text',
    entry_count: { sql: '(SELECT count(*) FROM vault_entry WHERE vault_id = vault.id)' },
    created_by: 'text',
    created_at: 'text',
    updated_at: 'text',
    revision: 'integer',
  },
  order: ['name'],
  lookups: ['name'],
  query: {
    ...PAGE_QUERY,
    name: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the vault of exactly this name.'))),
  },
  immutable: [],
  defaults: { entry_count: 0 },
  schemas: { item: vaultSchema, list: vaultListSchema, create: vaultCreateSchema, update: vaultUpdateSchema },
  title: ({ name }) => name,
  facts: told('name'),
  async settle(tx, next, before) {
    if (before && next.name !== before.name) await refuseWhileNamed(tx, { vault: before.name });
    return next;
  },
  taken: ({ name }) =>
    new Problem('already_exists', `A vault named ${name} already exists.`, {
      errors: [{ pointer: '/name', detail: 'Another vault has this name.' }],
    }),
  verbs: {
    async create({ tx, services, actor, body }) {
      const item = await createVault(tx, services, body, actor.name);
      return { item, detail: vaults.facts(item) };
    },
    async update({ tx, services, params, body, request }) {
      const { item, changed } = await updateItem(tx, services, vaults, params.vault_id!, body, request.if_match);
      return { item, detail: { ...vaults.facts(item), changed } };
    },
    async remove({ tx, params, query, body, request }) {
      const with_entries = query.with_entries === 'true' || body?.with_entries === true;
      const item = await deleteVault(tx, params.vault_id!, { if_match: request.if_match, with_entries });
      return { item, detail: { ...vaults.facts(item), entries: item.entry_count } };
    },
  },
};

/** @throws Problem 409 for a name that is taken. */
export const createVault = (
  tx: Transaction,
  shell: Shell,
  draft: v.InferOutput<typeof vaultCreateSchema>,
  created_by: string,
): Promise<Vault> => createItem(tx, shell, vaults, { ...draft, created_by });

/** @throws Problem 404, 412; 409 while Kickstarts name it, and for one with entries, unless they may go as well. */
async function deleteVault(
  tx: Transaction,
  id: string,
  options: { if_match: Precondition; with_entries: boolean },
): Promise<Vault> {
  const vault = await findItem(tx, vaults, id);
  requireRevision(options.if_match, vault.revision);
  const named = await kickstartBlockers(tx, { vault: vault.name });
  if (vault.entry_count > 0 && !options.with_entries) throw stillHolds(vault, named);
  if (named.length > 0) throw namedByKickstarts('vault', named);
  if (vault.entry_count > 0) {
    await tx.run('DELETE FROM vault_entry WHERE vault_id = ?', [id]);
  }
  await tx.run('DELETE FROM vault WHERE id = ?', [id]);
  return vault;
}

function stillHolds({ id, name, entry_count }: Vault, others: readonly Blocker[]): Problem {
  const entries = entry_count === 1 ? 'one entry' : `${entry_count} entries`;
  return new Problem('still_referenced', `The vault ${name} still has ${entries}.`, {
    blockers: [
      {
        subject: `Vault ${name}`,
        reason: `It has ${entries}, whose values would be lost.`,
        page: pagePath('vault', id),
        unblock: 'Delete its entries, or delete the vault with_entries=true.',
      },
      ...others.slice(0, NAMED_MOST),
    ],
  });
}

/** How the audit log names a vault by id. */
/** How the search finds entries: by key, as the vault that they are in. Values are no part of it. */
export const foundEntries = (
  has: (column: string) => string,
): string => `SELECT vault.id AS id, vault_entry.key AS name,
  'in ' || vault.name || ' ' || vault_entry.username AS fact FROM vault_entry JOIN vault ON vault.id = vault_entry.vault_id
  WHERE ${['vault_entry.key', 'vault_entry.username', 'vault_entry.uris'].map(has).join(' OR ')}
  ORDER BY vault_entry.key LIMIT ?3`;
export const NAMED_VAULTS = { table: 'vault', column: 'name' } as const;
