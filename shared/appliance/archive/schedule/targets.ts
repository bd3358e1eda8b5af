// Targets as a collection: their REST side. They have a store of their own: a secret is sealed in the transaction that
// stores it, and no answer contains it.
import { PAGE_QUERY, pageLimit } from '../../../ground/schemas/component.ts';
import type { Served } from '../../../platform/units/collection.ts';
import { ARCHIVES_PATH, ARCHIVES_TAG } from '../kept.ts';
import { placeWords, type Target } from './target.ts';
import { targetCreateSchema, targetListSchema, targetSchema, targetUpdateSchema } from './target-schemas.ts';
import { TARGET_TABLE } from './target-secret.ts';
import { createTarget, findTarget, listTargets, removeTarget, updateTarget } from './target-store.ts';

// Not beside the schedule: `archives/targets/{target_id}` and `archives/{archive_id}/restore` could be one path.
export const TARGETS_PATH = `${ARCHIVES_PATH}/schedule/targets`;

const MEMBERS = [
  ...['path', 'host', 'port', 'username', 'host_key_sha256', 'endpoint', 'region'],
  ...['bucket', 'prefix', 'path_style', 'access_key_id', 'ca_certificate'],
] as const;

/** As answers have it: members of all kinds side by side. */
export interface TargetItem {
  id: string;
  revision: number;
  name: string;
  kind: Target['kind'];
  enabled: boolean;
  stored_secret: Target['secret'];
  created_at: string;
  updated_at: string;
  [member: string]: string | number | boolean | null;
}

export function targetItem({ place, secret, ...head }: Target): TargetItem {
  const members = place as unknown as Readonly<Record<string, string | number | boolean | null>>;
  return {
    ...head,
    stored_secret: secret,
    ...Object.fromEntries(MEMBERS.map((name) => [name, members[name] ?? null])),
  };
}

const detailOf = (target: Target) => ({ name: target.name, kind: target.kind, place: placeWords(target) });

export const archiveTargets: Served<TargetItem> = {
  table: TARGET_TABLE,
  noun: 'target',
  plural: 'targets',
  effect: 'immediate',
  saves: null,
  tag: ARCHIVES_TAG,
  resource: 'archives',
  path: TARGETS_PATH,
  param: 'target_id',
  pages: { all: 'archive-targets', one: 'archive-target', home: 'archive-schedule' },
  action: 'archive.target',
  query: PAGE_QUERY,
  schemas: { item: targetSchema, list: targetListSchema, create: targetCreateSchema, update: targetUpdateSchema },
  title: ({ name }) => name,
  verbs: {
    async list({ db, query }) {
      const page = await listTargets(db, { cursor: query.cursor, limit: pageLimit(query.limit) });
      return { ...page, items: page.items.map(targetItem) };
    },
    find: async ({ db, params }) => targetItem(await findTarget(db, params.target_id!)),
    async create({ tx, services, body }) {
      const target = await createTarget(tx, services, body);
      return { item: targetItem(target), detail: detailOf(target) };
    },
    async update({ tx, services, params, body, request }) {
      const { target, changed } = await updateTarget(tx, services, params.target_id!, body, request.if_match);
      return { item: targetItem(target), detail: { ...detailOf(target), changed } };
    },
    async remove({ tx, params, request }) {
      const target = await removeTarget(tx, params.target_id!, request.if_match);
      return { item: targetItem(target), detail: detailOf(target) };
    },
  },
};
