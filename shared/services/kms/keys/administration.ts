// Keys as administrators see them, without material: the list, bringing a destroyed one back, and erasing what was destroyed
// long ago.
import { instant, later } from '../../../ground/clock.ts';
import { notFound, Problem } from '../../../ground/problems.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Page } from '../../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../../ground/store/sorted-page.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import { type AuditEvent, appendAudit } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { shownValue } from '../protocol/attributes.ts';
import { KEY_STATES } from '../schemas.ts';
import { changeKey, KEY_COLUMNS, type KeyRow, keyById, readKey, type StoredKey, stateAt } from './key-rows.ts';

/** Days for which the material of a destroyed key is kept. */
export const KEPT_DAYS = 30;
const KEPT_SECONDS = KEPT_DAYS * 86_400;

export type KeyWord = (typeof KEY_STATES)[number];

export interface KeyView extends Omit<KeyRow, 'attributes' | 'kept' | 'state'> {
  state: KeyWord;
  algorithm: 'AES';
  attributes: { name: string; index: number; value: string }[];
  erased_after: string | null;
}

export function viewOf({ kept, attributes, ...key }: KeyRow, now: string): KeyView {
  const { destroyed_at } = key;
  const gone: KeyWord = kept ? 'destroyed' : 'erased';
  return {
    ...key,
    state: destroyed_at === null ? stateAt(key, now) : gone,
    algorithm: 'AES',
    attributes: attributes.map((each) => ({ name: each.name, index: each.index, value: shownValue(each) })),
    erased_after: destroyed_at === null ? null : instant(later(new Date(destroyed_at), KEPT_SECONDS)),
  };
}

/** @throws Problem 404 */
export async function findKey(db: Database, id: string, now: string): Promise<KeyView> {
  const key = await keyById(db, id);
  if (!key) throw notFound('This key');
  return viewOf(key, now);
}

export interface KeyQuery {
  provider_id?: string | undefined;
  state?: KeyWord | undefined;
  /** Part of its id, of who it was made for, or of where it was last given to, in any case. */
  search?: string | undefined;
  /** One of KEY_SORTS, `-` before it for descending; else the newest first. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SORTS = {
  id: 'id',
  created_by: 'created_by',
  created_at: 'created_at',
  last_get_at: "coalesce(last_get_at, '')",
};
export const KEY_SORTS = Object.keys(SORTS);

/** As viewOf() says it: `?` is the time. */
const LIVING = 'destroyed_at IS NULL AND';
const WAITS = "(state = 'pre-active' AND (activated_at IS NULL OR activated_at > ?))";
const IN_STATE: Readonly<Record<KeyWord, string>> = {
  'pre-active': `${LIVING} ${WAITS}`,
  active: `${LIVING} state IN ('active', 'pre-active') AND NOT ${WAITS}`,
  deactivated: `${LIVING} state = 'deactivated'`,
  compromised: `${LIVING} state = 'compromised'`,
  destroyed: "destroyed_at IS NOT NULL AND kek_id <> ''",
  erased: "destroyed_at IS NOT NULL AND kek_id = ''",
};

/** The list that its page shows, by the texts of the page's query. */
export const keyFilter = ({
  search,
  sort,
  state,
}: Partial<Record<string, string>>): Pick<KeyQuery, 'search' | 'sort' | 'state'> => ({
  search,
  sort,
  state: KEY_STATES.find((known) => known === state),
});

/** Newest first, unless another order is asked for; destroyed ones too. @throws Problem 400 */
export async function listKeys(
  db: Database,
  { provider_id, state, search, ...page }: KeyQuery,
  now: string,
): Promise<Page<KeyView>> {
  const list = build('kms_key').select(build.raw(KEY_COLUMNS));
  if (provider_id !== undefined) list.where('provider_id', provider_id);
  if (state !== undefined) list.whereRaw(IN_STATE[state], IN_STATE[state].includes('?') ? [now] : []);
  searchIn(list, ['id', 'created_by', "coalesce(last_get_from, '')"], search?.trim());
  const order = { sorts: SORTS, own: ['created_at', 'id'], descending: true } as const;
  return sortedPage(db, list, order, page, (row: Placed) => viewOf(readKey(storedOf(row)), now));
}

type Placed = StoredKey & Record<`place_${number}`, unknown>;

/** Without the places in the order. */
function storedOf({ place_0: _0, place_1: _1, place_2: _2, ...key }: Placed): StoredKey {
  return key;
}

/** It is again as it was before it was destroyed. @throws Problem 404, 409 */
export async function bringBack(tx: Transaction, id: string, now: string): Promise<AuditEvent> {
  const key = await keyById(tx, id);
  if (!key) throw notFound('This key');
  if (key.destroyed_at === null) throw new Problem('state_conflict', 'This key is not destroyed.');
  if (!key.kept) throw new Problem('state_conflict', 'The material of this key was erased: nobody can bring it back.');
  await changeKey(tx, id, { destroyed_at: null, changed_at: now });
  const detail = { destroyed_at: key.destroyed_at, state: key.state };
  return { action: 'kms.key.bring-back', resource_type: 'kms_key', resource_id: id, detail };
}

/** Keys of one transaction. */
const BATCH = 200;

/** Erases the material of keys that were destroyed long enough ago; answers how many. The rows say that there were such keys. */
export async function eraseDestroyed(services: Pick<Services, 'store' | 'clock' | 'keys'>): Promise<number> {
  const { store, keys, clock } = services;
  const at = instant(clock.now());
  const before = instant(later(clock.now(), -KEPT_SECONDS));
  const due = "destroyed_at < ? AND kek_id <> ''";
  if (!(await store.one(`SELECT 1 AS yes FROM kms_key WHERE ${due} LIMIT 1`, [before]))) return 0;
  return store.write(async (tx) => {
    const rows = await tx.all<{ id: string }>(`SELECT id FROM kms_key WHERE ${due} ORDER BY id LIMIT ${BATCH}`, [
      before,
    ]);
    for (const { id } of rows) {
      await tx.run("UPDATE kms_key SET kek_id = '', sealed_key = '', sealed_value = '' WHERE id = ?", [id]);
      const event = { action: 'kms.key.erase', resource_type: 'kms_key', resource_id: id };
      const context = { at, actor: systemActor('key management'), request_id: 'key-management', source_address: '' };
      await appendAudit(tx, keys, context, event, { holdsLock: true });
    }
    return rows.length;
  });
}

/** Destroyed keys of a provider that can be brought back. */
export interface Destroyed {
  provider_id: string;
  provider: string;
  keys: number;
  /** When the material of the first of them is erased, RFC 3339 in UTC. */
  until: string;
}

/** By the name of the provider; one statement. */
export async function destroyedKeys(db: Database): Promise<Destroyed[]> {
  const rows = await db.all<Omit<Destroyed, 'until'> & { first: string }>(
    `SELECT p.id AS provider_id, p.name AS provider, count(*) AS keys, min(k.destroyed_at) AS first
      FROM kms_key AS k JOIN kms_provider AS p ON p.id = k.provider_id
      WHERE k.destroyed_at IS NOT NULL AND k.kek_id <> '' GROUP BY p.id ORDER BY p.name`,
  );
  return rows.map(({ first, ...row }) => ({ ...row, until: instant(later(new Date(first), KEPT_SECONDS)) }));
}

/** Keys that are not destroyed, and those of them that were made after a moment. */
export const keysSince = async (db: Database, after: string): Promise<{ keys: number; since: number }> =>
  (await db.one<{ keys: number; since: number }>(
    'SELECT count(*) AS keys, coalesce(sum(created_at >= ?), 0) AS since FROM kms_key WHERE destroyed_at IS NULL',
    [after],
  ))!;

/** Statement that finds a key which is not destroyed and was made since; `since`: an SQL expression. */
export const keySinceSql = (since: string): string =>
  `SELECT 1 AS yes FROM kms_key WHERE destroyed_at IS NULL AND created_at >= ${since} LIMIT 1`;
