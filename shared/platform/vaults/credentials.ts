// Credentials that a login at a remote machine can choose: each web address of each entry with a user name and a value.
// No value is opened here.
import { createHash } from 'node:crypto';
import type { InferOutput } from 'valibot';
import { notFound } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { findEntry, requireVault } from './entry-store.ts';
import type { credentialSchema } from './schemas.ts';
import { isWebUri, serverOf } from './uris.ts';

export type VaultCredential = InferOutput<typeof credentialSchema>;

interface Row {
  entry_id: string;
  key: string;
  username: string;
  description: string;
  last_used_at: string | null;
  uri: string;
  position: number;
}

export interface CredentialQuery {
  /** Part of key, user name, URI or description, in any case. */
  search?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * By key, then in the entry's own order. The search is done here, since SQLite ignores the case of ASCII letters only;
 * a vault is small enough for that (2,000 entries of 9 URIs). @throws Problem 404
 */
export async function listCredentials(
  db: Database,
  vault_id: string,
  query: CredentialQuery,
): Promise<Page<VaultCredential>> {
  await requireVault(db, vault_id);
  const list = build<Row>(build.raw('vault_entry e, json_each(e.uris) u') as never)
    .select(
      build.raw(
        'e.id AS entry_id, e.key, e.username, e.description, e.last_used_at, u.value AS uri, u.key AS position',
      ),
    )
    .whereRaw("e.vault_id = ? AND e.username <> '' AND e.sealed_value IS NOT NULL", [vault_id])
    .whereRaw("(u.value LIKE 'https://%' OR u.value LIKE 'http://%')")
    .orderByRaw('e.key, u.key');
  if (query.cursor) list.whereRaw('(e.key, u.key) > (?, ?)', decodeCursor(query.cursor, 2));
  const part = query.search?.toLowerCase() ?? '';
  const rows = await db.all<Row>(part === '' ? list.limit(query.limit + 1) : list);
  const found = rows.filter((row) => textOf(row).includes(part)).slice(0, query.limit + 1);
  return pageOf(found, query.limit, ({ key, position }) => [key, position], choiceOf);
}

const textOf = ({ key, username, uri, description }: Row): string =>
  `${key} ${username} ${uri} ${description}`.toLowerCase();

/**
 * The current state of the choice that was posted.
 * @throws Problem 404 when the entry or URI is gone, is in another vault, or can't be used for a login any more.
 */
export async function findCredential(db: Database, vault_id: string, choice_id: string): Promise<VaultCredential> {
  const [entry_id = ''] = choice_id.split('.');
  const { entry } = await findEntry(db, vault_id, entry_id);
  const uri = entry.uris.find((each) => isWebUri(each) && choiceId(entry_id, each) === choice_id);
  if (uri === undefined || !entry.has_value || entry.username === '') throw notFound('This vault credential');
  return choiceOf({ ...entry, entry_id, uri });
}

/** A credential with an ssh address, of any vault. */
export interface SshCredential {
  /** Names vault, entry and URI; another one once the URI is changed. */
  choice: string;
  vault_id: string;
  entry_id: string;
  vault: string;
  key: string;
  username: string;
  uri: string;
  /** Of the entry: another one after each change of it. */
  revision: number;
}

type SshRow = Omit<SshCredential, 'choice'>;

/** More than a person chooses from. */
const SSH_MOST = 500;

const SSH = `SELECT v.id AS vault_id, v.name AS vault, e.id AS entry_id, e.key, e.username, u.value AS uri, e.revision
  FROM vault_entry e JOIN vault v ON v.id = e.vault_id, json_each(e.uris) u
  WHERE e.username <> '' AND e.sealed_value IS NOT NULL AND u.value LIKE 'ssh://%'`;

const sshChoice = (row: SshRow): SshCredential => ({ choice: choiceId(row.entry_id, row.uri), ...row });

/** By vault, key and the entry's own order. */
export async function listSshCredentials(db: Database): Promise<SshCredential[]> {
  const rows = await db.all<SshRow>(`${SSH} ORDER BY v.name, e.key, u.key LIMIT ${SSH_MOST}`);
  return rows.map(sshChoice);
}

/** @throws Problem 404 when the entry or its URI is gone, or can't be used for a login any more. */
export async function findSshCredential(db: Database, choice: string): Promise<SshCredential> {
  const [entry_id = ''] = choice.split('.');
  const rows = await db.all<SshRow>(`${SSH} AND e.id = ?`, [entry_id]);
  const found = rows.map(sshChoice).find((each) => each.choice === choice);
  if (!found) throw notFound('This vault credential');
  return found;
}

function choiceOf({ entry_id, key, username, description, last_used_at, uri }: Omit<Row, 'position'>): VaultCredential {
  const choice_id = choiceId(entry_id, uri);
  return { choice_id, entry_id, key, username, uri, server: serverOf(uri), url: uri, description, last_used_at };
}

/** Of entry and URI: after an edit, a position could silently be another machine. */
function choiceId(entry_id: string, uri: string): string {
  return `${entry_id}.${createHash('sha256').update(uri).digest('hex').slice(0, 16)}`;
}
