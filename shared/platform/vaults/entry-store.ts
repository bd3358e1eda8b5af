// Entries of vaults in the database. No value is read here, only whether there is one.
import type { InferOutput } from 'valibot';
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../ground/problems.ts';
import { type Sealed, sealEntry } from '../../ground/sealing/envelope.ts';
import type { Keyring } from '../../ground/sealing/keyring.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { refuseWhileNamed } from './kickstart-names.ts';
import type { EntrySource, entryCreateSchema, entrySchema, entryUpdateSchema } from './schemas.ts';
import { readUris } from './uris.ts';

export type VaultEntry = InferOutput<typeof entrySchema>;

/** An entry, and the name of its vault for the audit log. */
export interface SavedEntry {
  entry: VaultEntry;
  vault_name: string;
}

interface Row extends Omit<VaultEntry, 'uris' | 'has_value'> {
  uris: string;
  has_value: number;
  vault_name: string;
}

export interface EntryShell {
  clock: Clock;
  entropy: Entropy;
  keyring: Keyring;
}

/** More than this in one vault is a mistake of a script. */
const ENTRIES_MOST = 2000;

/** Of `vault_entry AS e`; what `entryOf` reads. */
export const ENTRY_COLUMNS = `e.id, e.vault_id, e.key, e.username, e.description, e.uris, e.source, e.source_endpoint,
  e.sealed_value IS NOT NULL AS has_value, e.value_changed_at, e.imported_at, e.last_used_at, e.created_at,
  e.updated_at, e.revision`;
const ONE = `SELECT ${ENTRY_COLUMNS}, v.name AS vault_name FROM vault_entry e JOIN vault v ON v.id = e.vault_id
  WHERE e.id = ? AND e.vault_id = ?`;

export interface EntryQuery {
  key?: string | undefined;
  source?: EntrySource | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** By key. @throws Problem 404 for a vault that does not exist. */
export async function listEntries(db: Database, vault_id: string, query: EntryQuery): Promise<Page<VaultEntry>> {
  await requireVault(db, vault_id);
  const list = build<Row>('vault_entry as e')
    .select(build.raw(ENTRY_COLUMNS))
    .where('e.vault_id', vault_id)
    .orderBy('e.key');
  if (query.key !== undefined) list.where('e.key', query.key);
  if (query.source !== undefined) list.where('e.source', query.source);
  if (query.cursor) list.where('e.key', '>', String(decodeCursor(query.cursor, 1)[0]));
  const rows = await db.all<Row>(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, ({ key }) => [key], entryOf);
}

/** @throws Problem 404 */
export async function requireVault(db: Database, vault_id: string): Promise<void> {
  if (!(await db.one('SELECT 1 AS yes FROM vault WHERE id = ?', [vault_id]))) throw notFound('This vault');
}

/** @throws Problem 404, also for an entry of another vault. */
export async function findEntry(db: Database, vault_id: string, entry_id: string): Promise<SavedEntry> {
  const row = await db.one<Row>(ONE, [entry_id, vault_id]);
  if (!row) throw notFound('This vault entry');
  return { entry: entryOf(row), vault_name: row.vault_name };
}

export interface EntryDraft extends InferOutput<typeof entryCreateSchema> {
  /** Where it was imported from; without it, a person typed it. */
  imported?: { source: Exclude<EntrySource, 'manual'>; endpoint: string };
}

/** Seals in the transaction that stores. @throws Problem 404, 409, 422 */
export async function createEntry(
  tx: Transaction,
  shell: EntryShell,
  vault_id: string,
  draft: EntryDraft,
): Promise<SavedEntry> {
  const vault = await tx.one<{ name: string; entries: number }>(
    'SELECT name, (SELECT count(*) FROM vault_entry WHERE vault_id = vault.id) AS entries FROM vault WHERE id = ?',
    [vault_id],
  );
  if (!vault) throw notFound('This vault');
  if (vault.entries >= ENTRIES_MOST) {
    throw new Problem('state_conflict', `The vault ${vault.name} is full: it has ${ENTRIES_MOST} entries.`);
  }
  const now = instant(shell.clock.now());
  const has_value = draft.value !== undefined;
  const entry: VaultEntry = {
    id: newId('entry', shell.entropy),
    vault_id,
    key: draft.key,
    username: draft.username ?? '',
    description: draft.description ?? '',
    uris: canonicalUris(draft.uris ?? []),
    source: draft.imported?.source ?? 'manual',
    source_endpoint: draft.imported?.endpoint ?? '',
    has_value,
    value_changed_at: has_value ? now : null,
    imported_at: draft.imported ? now : null,
    last_used_at: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  };
  await insert(tx, entry, await sealed(shell, entry, draft.value ?? null));
  return { entry, vault_name: vault.name };
}

async function insert(tx: Transaction, entry: VaultEntry, columns: Sealed | null): Promise<void> {
  const { has_value: _derived, uris, ...plain } = entry;
  const row = { ...plain, uris: JSON.stringify(uris), ...(columns ?? NO_VALUE) };
  await tx.run(build('vault_entry').insert(row)).catch(taken(entry.key));
}

const NO_VALUE = { kek_id: null, sealed_key: null, sealed_value: null };

export type EntryPatch = InferOutput<typeof entryUpdateSchema> & Pick<EntryDraft, 'imported'>;

/**
 * Changes the members that were sent. A value is always sealed anew: comparing it would need the stored one opened.
 * Without a difference nothing is written. @throws Problem 404, 409, 412, 422
 */
export async function updateEntry(
  tx: Transaction,
  shell: EntryShell,
  place: { vault_id: string; entry_id: string },
  patch: EntryPatch,
  if_match: Precondition,
): Promise<SavedEntry & { changed: string[] }> {
  const { entry: before, vault_name } = await findEntry(tx, place.vault_id, place.entry_id);
  requireRevision(if_match, before.revision);
  const { value, imported } = patch;
  const uris = patch.uris === undefined ? before.uris : canonicalUris(patch.uris);
  const { key = before.key, username = before.username, description = before.description } = patch;
  const wanted = { key, username, description, uris };
  const differs = (member: keyof typeof wanted) => JSON.stringify(wanted[member]) !== JSON.stringify(before[member]);
  const changed: string[] = (['key', 'username', 'description', 'uris'] as const).filter(differs);
  const newValue = value !== undefined && (value !== null || before.has_value);
  if (newValue) changed.push('value');
  if (changed.length === 0 && !imported) return { entry: before, vault_name, changed };
  if (key !== before.key) await refuseWhileNamed(tx, { vault: vault_name, key: before.key });
  const now = instant(shell.clock.now());
  const entry: VaultEntry = {
    ...before,
    ...wanted,
    ...(newValue && { has_value: value !== null, value_changed_at: value === null ? null : now }),
    ...(imported && { source: imported.source, source_endpoint: imported.endpoint, imported_at: now }),
    updated_at: now,
    revision: before.revision + 1,
  };
  const { has_value: _derived, ...plain } = entry;
  const columns = newValue ? ((await sealed(shell, entry, value)) ?? NO_VALUE) : {};
  const row = { ...plain, uris: JSON.stringify(uris), ...columns };
  await tx.run(build('vault_entry').where('id', entry.id).update(row)).catch(taken(entry.key));
  return { entry, vault_name, changed };
}

/** @throws Problem 404, 412; 409 while Kickstarts name it */
export async function deleteEntry(
  tx: Transaction,
  place: { vault_id: string; entry_id: string },
  if_match: Precondition,
): Promise<SavedEntry> {
  const saved = await findEntry(tx, place.vault_id, place.entry_id);
  requireRevision(if_match, saved.entry.revision);
  await refuseWhileNamed(tx, { vault: saved.vault_name, key: saved.entry.key });
  await tx.run('DELETE FROM vault_entry WHERE id = ?', [place.entry_id]);
  return saved;
}

/** Seals with the current key, inside the write transaction, so that no other process can rotate meanwhile. */
async function sealed(
  { keyring, entropy }: EntryShell,
  { id, vault_id }: VaultEntry,
  value: string | null,
): Promise<Sealed | null> {
  if (value === null) return null;
  return sealEntry(await keyring.current(), { vault_id, entry_id: id, field: 'value' }, value, entropy);
}

function canonicalUris(texts: readonly string[]): string[] {
  const read = readUris(texts);
  if ('errors' in read) throw invalid(...read.errors);
  return read.uris;
}

type Stored = Omit<Row, 'vault_name'>;

export function entryOf(row: Stored): VaultEntry {
  const { id, vault_id, key, username, description, source, source_endpoint } = row;
  const { value_changed_at, imported_at, last_used_at, created_at, updated_at, revision } = row;
  return {
    ...{ id, vault_id, key, username, description, uris: JSON.parse(row.uris) as string[], source, source_endpoint },
    ...{
      has_value: row.has_value === 1,
      value_changed_at,
      imported_at,
      last_used_at,
      created_at,
      updated_at,
      revision,
    },
  };
}

function taken(key: string): (error: Error) => never {
  return (error) => {
    if (!error.message.includes('UNIQUE')) throw error;
    throw new Problem('already_exists', `This vault already has an entry ${key}.`, {
      errors: [{ pointer: '/key', detail: 'Another entry of this vault has this key.' }],
    });
  };
}

/** An existing entry with one of the keys looked for. */
export interface PresentEntry {
  id: string;
  key: string;
  username: string;
  source: EntrySource;
  source_endpoint: string | null;
}

/** Entries of a vault by their keys. One statement. */
export async function presentEntries(
  db: Database,
  vault_id: string,
  keys: readonly string[],
): Promise<Map<string, PresentEntry>> {
  const rows = await db.all<PresentEntry>(
    build<PresentEntry>('vault_entry')
      .select('id', 'key', 'username', 'source', 'source_endpoint')
      .where('vault_id', vault_id)
      .whereIn('key', [...keys]),
  );
  return new Map(rows.map((row) => [row.key, row]));
}
