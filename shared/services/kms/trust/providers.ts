// Key providers: who owns keys. The vCenters of one provider share its keys; no other provider sees them.
import * as v from 'valibot';
import type { Clock, Entropy } from '../../../ground/clock.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { Problem } from '../../../ground/problems.ts';
import { PAGE_QUERY } from '../../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { type Collection, told } from '../../../platform/units/collection.ts';
import { createItem, findItem, updateItem } from '../../../platform/units/collection-store.ts';
import { keysHeld, keysNamed } from '../keys/held.ts';
import { forgetReceivers } from '../keys/receivers.ts';
import {
  KMS_PATH,
  KMS_TAG,
  providerCreateSchema,
  providerListSchema,
  providerSchema,
  providerUpdateSchema,
} from '../schemas.ts';
import { bury, buryErased } from './tombstones.ts';

export type Provider = v.InferOutput<typeof providerSchema>;

export const providers: Collection<Provider> = {
  table: 'kms_provider',
  prefix: 'kmsprovider',
  noun: 'provider',
  plural: 'providers',
  effect: 'immediate',
  saves: null,
  tag: KMS_TAG,
  resource: 'kms',
  path: `${KMS_PATH}/providers`,
  param: 'provider_id',
  pages: { all: 'kms-providers', one: 'kms-provider', home: 'kms' },
  live: true,
  action: 'kms.provider',
  columns: {
    name: 'text',
    description: 'text',
    activates_on_create: 'boolean',
    client_count: { sql: '(SELECT count(*) FROM kms_client WHERE provider_id = kms_provider.id)' },
    key_count: {
      sql: '(SELECT count(*) FROM kms_key WHERE provider_id = kms_provider.id AND destroyed_at IS NULL)',
    },
    created_by: 'text',
    created_at: 'text',
    updated_at: 'text',
    revision: 'integer',
  },
  order: ['name'],
  lookups: ['name'],
  query: {
    ...PAGE_QUERY,
    name: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the provider of exactly this name.'))),
  },
  immutable: [],
  defaults: { activates_on_create: true, client_count: 0, key_count: 0 },
  schemas: {
    item: providerSchema,
    list: providerListSchema,
    create: providerCreateSchema,
    update: providerUpdateSchema,
  },
  title: ({ name }) => name,
  facts: told('name'),
  settle: async (_tx, next) => next,
  taken: ({ name }) =>
    new Problem('already_exists', `A provider named ${name} already exists.`, {
      errors: [{ pointer: '/name', detail: 'Another provider has this name.' }],
    }),
  verbs: {
    async create({ tx, services, actor, body }) {
      const item = await createItem(tx, services, providers, { ...body, created_by: actor.name });
      return { item, detail: providers.facts(item) };
    },
    async update({ tx, services, params, body, request }) {
      const { item, changed } = await updateItem(tx, services, providers, params.provider_id!, body, request.if_match);
      return { item, detail: { ...providers.facts(item), changed } };
    },
    async remove({ tx, services, actor, params, request }) {
      const item = await removeProvider(tx, { ...services, by: actor.name }, params.provider_id!, request.if_match);
      return { item, detail: providers.facts(item) };
    },
  },
};

/**
 * With its clients, and what is left of keys whose material was erased: tombstones remember both.
 * @throws Problem 404, 412; 409 while it has a key, a destroyed one that can be brought back too
 */
export async function removeProvider(
  tx: Transaction,
  shell: { clock: Clock; entropy: Entropy; by: string },
  id: string,
  if_match: Precondition,
): Promise<Provider> {
  const provider = await findItem(tx, providers, id);
  requireRevision(if_match, provider.revision);
  const sql = "SELECT count(*) AS kept FROM kms_key WHERE provider_id = ? AND kek_id <> ''";
  const { kept } = (await tx.one<{ kept: number }>(sql, [id]))!;
  if (kept > 0) throw stillHolds(provider, await keysWords(tx, id, kept));
  await buryErased(tx, id);
  await bury(tx, shell, { clients: 'provider_id', of: id, why: 'provider_deleted', by: shell.by });
  await forgetReceivers(tx, id);
  await tx.run('DELETE FROM kms_key WHERE provider_id = ?', [id]);
  await tx.run('DELETE FROM kms_client WHERE provider_id = ?', [id]);
  await tx.run('DELETE FROM kms_provider WHERE id = ?', [id]);
  return provider;
}

/** Whether there is one; keys and clients are of one. */
export const anyProvider = async (db: Database): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM kms_provider LIMIT 1')) !== undefined;

async function keysWords(tx: Transaction, id: string, kept: number): Promise<string> {
  const held = await keysHeld(tx, id);
  const destroyed = kept - held.count;
  const words = held.count > 0 ? [keysNamed(held)] : [];
  if (destroyed > 0)
    words.push(`${destroyed === 1 ? 'one destroyed key' : `${destroyed} destroyed keys`} not yet erased`);
  return words.join(', and ');
}

const stillHolds = ({ id, name }: Provider, keys: string): Problem =>
  new Problem('still_referenced', `The provider ${name} still has keys.`, {
    blockers: [
      {
        subject: `Provider ${name}`,
        reason: `It has ${keys}. What is encrypted with them would be lost.`,
        page: pagePath('kms-provider', id),
        unblock: 'Destroy its keys in vCenter, and wait until they are erased.',
      },
    ],
  });
