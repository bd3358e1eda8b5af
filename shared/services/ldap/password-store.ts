// Passwords of the directory in the database: hashes alone, of the current one and of earlier ones.
import { instant, newId } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Shell } from '../../platform/units/collection.ts';
import { markOf } from './password-hash.ts';

/** Whose password. */
export type Holder = { user_id: string; account_id?: never } | { account_id: string; user_id?: never };

export interface KeptHashes {
  /** Name of the user; null for a bind account. */
  uid: string | null;
  account: string | null;
  mark: string;
  hash: string;
  /** Earlier ones, newest first: a rollback brings back what was in force. */
  former: string[];
}

const IN_ORGANIZATION = `SELECT uid, NULL AS account, mark, hash, former FROM ldap_password JOIN ldap_user ON ldap_user.id = user_id
    WHERE organization_id = (SELECT id FROM ldap_organization WHERE slug = ?1) AND (?2 IS NULL OR uid IN (SELECT value FROM json_each(?2)))
  UNION ALL SELECT NULL, name, mark, hash, former FROM ldap_password JOIN ldap_bind_account ON ldap_bind_account.id = account_id
    WHERE organization_id = (SELECT id FROM ldap_organization WHERE slug = ?1) AND (?2 IS NULL OR name IN (SELECT value FROM json_each(?2)))`;

/** Of users and bind accounts of an organisation: of those with one of these names, or of all where none are given. */
export async function hashesOf(db: Database, slug: string, names: readonly string[] | null): Promise<KeptHashes[]> {
  const asked = [slug, names === null ? null : JSON.stringify(names)];
  const rows = await db.all<Omit<KeptHashes, 'former'> & { former: string }>(IN_ORGANIZATION, asked);
  return rows.map((row) => ({ ...row, former: JSON.parse(row.former) as string[] }));
}

/** The current hash and the earlier ones, newest first. */
export async function knownHashes(db: Database, { user_id, account_id }: Holder): Promise<string[]> {
  const row = await db.one<{ hash: string; former: string }>(
    'SELECT hash, former FROM ldap_password WHERE user_id IS ? AND account_id IS ?',
    [user_id ?? null, account_id ?? null],
  );
  return row ? [row.hash, ...(JSON.parse(row.former) as string[])] : [];
}

const WRITE = (member: string) => `INSERT INTO ldap_password
    (id, ${member}, hash, former, mark, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, ?, ?)
  ON CONFLICT (${member}) DO UPDATE SET hash = excluded.hash, former = excluded.former, mark = excluded.mark,
    revision = ldap_password.revision + 1, updated_at = excluded.updated_at`;

/** `former`: hashes that are to be remembered, newest first. */
export async function saveHash(
  tx: Transaction,
  { clock, entropy }: Pick<Shell, 'clock' | 'entropy'>,
  { user_id, account_id }: Holder,
  { hash, former }: { hash: string; former: readonly string[] },
): Promise<void> {
  const now = instant(clock.now());
  // Of the hash itself, so that earlier ones are known by theirs.
  const mark = markOf(hash);
  const named = user_id === undefined ? (['account_id', account_id] as const) : (['user_id', user_id] as const);
  const id = newId('ldappw', entropy);
  await tx.run(WRITE(named[0]), [id, named[1]!, hash, JSON.stringify(former), mark, now, now]);
}
