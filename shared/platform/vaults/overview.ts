// What the pages of the vaults show beyond their rows: entries that match a search, and how many values each key seals. No value
// is opened here.

import { isKeyringFault, type Keyring } from '../../ground/sealing/keyring.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database } from '../../ground/store/database.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import { type AuditView, listAudit } from '../../kernel/audit/list.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { ENTRY_COLUMNS, entryOf, requireVault, type VaultEntry } from './entry-store.ts';
import { ENTRY_SOURCES, type EntrySource } from './schemas.ts';
import { keysInUse, keyUses } from './sealed-tables.ts';

export interface EntryFilter {
  /** Part of key, user name, description or a URI, in any case. */
  search: string;
  source: EntrySource | '';
  /** Only entries without a value, or entries that were never used. */
  show: 'without-value' | 'unused' | '';
  /** One of ENTRY_SORTS, `-` before it for descending; else by key. */
  sort: string;
  cursor?: string | undefined;
}

const SORTS = {
  key: 'key',
  username: 'lower(username)',
  source: 'source',
  value_changed_at: "coalesce(value_changed_at, '')",
  last_used_at: "coalesce(last_used_at, '')",
};
export const ENTRY_SORTS = Object.keys(SORTS);

export interface FoundEntries {
  items: VaultEntry[];
  /** How many entries match on all pages, for each value of `show`. */
  counts: Record<EntryFilter['show'], number>;
  /** `cursor` of the next page; null on the last one. */
  next: string | null;
}

const SHOWN: Record<EntryFilter['show'], string> = {
  '': '1',
  'without-value': 'sealed_value IS NULL',
  unused: 'sealed_value IS NOT NULL AND last_used_at IS NULL',
};
const SEARCHED = ['key', 'username', 'description', 'source_endpoint', 'uris'];

export const isEntrySource = (text = ''): text is EntrySource => ENTRY_SOURCES.some((source) => source === text);

/** The list that its page shows, by the texts of the page's query. */
export const entryFilter = ({
  search = '',
  sort = '',
  state,
  source,
  cursor,
}: Partial<Record<string, string>>): EntryFilter => ({
  search,
  sort,
  source: isEntrySource(source) ? source : '',
  show: state === 'without-value' || state === 'unused' ? state : '',
  cursor,
});

/** By key, unless another order is asked for. @throws Problem 404; 400 for a cursor of another list or order */
export async function findEntries(
  db: Database,
  vault_id: string,
  filter: EntryFilter,
  limit: number,
): Promise<FoundEntries> {
  const matching = () => {
    const list = build('vault_entry as e').where('vault_id', vault_id);
    if (filter.source !== '') list.where('source', filter.source);
    searchIn(list, SEARCHED, filter.search.trim());
    return list;
  };
  const counted = Object.entries(SHOWN).map(([show, sql]) =>
    build.raw(`coalesce(sum(${sql}), 0) AS "${show || 'all'}"`),
  );
  const [counts] = await db.all<Record<string, number>>(matching().select(counted));
  // Whether there is such a vault is only a question where nothing was found.
  if (counts!.all === 0) await requireVault(db, vault_id);
  const { sort, cursor } = filter;
  const rows = matching().select(build.raw(ENTRY_COLUMNS)).whereRaw(SHOWN[filter.show]);
  const page = await sortedPage(db, rows, { sorts: SORTS, own: ['key'] }, { sort, cursor, limit }, entryOf);
  return {
    items: page.items,
    counts: { '': counts!.all!, 'without-value': counts!['without-value']!, unused: counts!.unused! },
    next: page.next_cursor,
  };
}

/**
 * Events of an entry, newest first: its own, and those imports into its vault that named its key, whose detail is
 * narrowed to what became of this one: `{server, imported: 'created' | 'rotated' | 'unchanged'}`.
 */
export async function entryEvents(db: Database, entry: VaultEntry, limit: number): Promise<AuditView[]> {
  const own = await listAudit(db, { resource_type: 'vault_entry', resource_id: entry.id, limit });
  if (entry.imported_at === null) return own.items;
  const about = { action: 'vault.import', resource_type: 'vault', resource_id: entry.vault_id, limit };
  const imports = (await listAudit(db, about)).items.flatMap((event) => {
    const { server, keys = {} } = event.detail as { server?: string; keys?: Record<string, string[]> };
    const [imported] = Object.entries(keys).find(([, named]) => named.includes(entry.key)) ?? [];
    return imported === undefined || event.at < entry.created_at ? [] : [{ ...event, detail: { server, imported } }];
  });
  return [...own.items, ...imports].sort((one, other) => other.seq - one.seq).slice(0, limit);
}

export interface KeyUse {
  id: string;
  /** Entries whose data key is sealed with this key. */
  entries: number;
  /** Private keys of certificates that are sealed with this key. */
  private_keys: number;
  /** `current`: seals every new value; `kept`: an earlier key; `missing`: values need it, and the file lacks it. */
  state: 'current' | 'kept' | 'missing';
}

/** All keys of the file, newest first, and keys that values need and the file lacks; or why the file can't be used. */
export async function keyUse(db: Database, keyring: Keyring): Promise<{ keys: KeyUse[]; fault: string | null }> {
  const byKey = Map.groupBy(await keyUses(db), ({ kek_id }) => kek_id);
  const held = await heldKeys(keyring);
  const missing = [...byKey.keys()].filter((id) => !held.ids.includes(id));
  const use =
    (state: KeyUse['state'] | null) =>
    (id: string): KeyUse => {
      const rows = byKey.get(id) ?? [];
      const of = (entries: boolean) =>
        rows.filter(({ name }) => (name === 'vault_entry') === entries).reduce((sum, { count }) => sum + count, 0);
      return {
        id,
        entries: of(true),
        private_keys: of(false),
        state: state ?? (id === held.current ? 'current' : 'kept'),
      };
    };
  return { keys: [...held.ids.toReversed().map(use(null)), ...missing.map(use('missing'))], fault: held.fault };
}

/** Values that can't be opened because the file lacks their keys. */
export interface LostValues {
  keys: string[];
  entries: number;
  private_keys: number;
}

/** Null while the file has every key that values need. An older keys file that was restored lacks the newer keys. */
export function lostValues(keys: readonly KeyUse[]): LostValues | null {
  const missing = keys.filter(({ state }) => state === 'missing');
  if (missing.length === 0) return null;
  const sum = (count: 'entries' | 'private_keys') => missing.reduce((all, key) => all + key[count], 0);
  return { keys: missing.map(({ id }) => id), entries: sum('entries'), private_keys: sum('private_keys') };
}

/** As lostValues() of all keys; values are only counted where a key is missing. */
export async function lostAnywhere(db: Database, keyring: Keyring): Promise<LostValues | null> {
  const [used, { ids }] = await Promise.all([keysInUse(db), heldKeys(keyring)]);
  if ([...used].every((id) => ids.includes(id))) return null;
  return lostValues((await keyUse(db, keyring)).keys);
}

/** Warns once at the start: else the loss would only show when a value is used. */
export async function warnOfLostValues(services: Pick<Services, 'store' | 'keyring' | 'logger'>): Promise<void> {
  const { keys, fault } = await keyUse(services.store, services.keyring);
  const lost = lostValues(keys);
  if (lost) services.logger.warn('values of vaults can’t be opened: vault.keys lacks their keys', { ...lost, fault });
}

/** Keys of the file. The current one is read for its id only; nothing is sealed here. */
async function heldKeys(keyring: Keyring): Promise<{ ids: string[]; current: string; fault: string | null }> {
  try {
    return { ids: await keyring.ids(), current: (await keyring.current()).id, fault: null };
  } catch (error) {
    if (!isKeyringFault(error)) throw error;
    return { ids: [], current: '', fault: error.message };
  }
}
