// What is remembered of clients that were removed, revoked or held, and of keys that were erased: neither a restore of what was
// before nor a factory reset brings them back. Only whoever adds a client anew does, or takes the hold back. There are as many as removals, each of which a
// person made.
import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { newestPage, type Page } from '../../../ground/store/pagination.ts';
import type { WHYS } from '../schemas.ts';

export interface Tombstone {
  id: string;
  /** Id of its provider then. */
  provider_id: string;
  provider: string;
  name: string;
  /** SHA-256 of the certificate. */
  sha256: string;
  removal: (typeof WHYS)[number];
  removed_by: string;
  removed_at: string;
}

/** Whether a client, by the alias of its table, is remembered as removed or held since it was added; in SQL. */
export const buriedSql = (client: string, by = ''): string =>
  `EXISTS (SELECT 1 FROM kms_tombstone WHERE kind = 'client' AND subject = ${client}.sha256
    AND created_at >= ${client}.created_at ${by})`;

/**
 * When a client counts as added: now, or just after it was last removed, should the clock have been set back since.
 * `again`: when that was; null: it never was.
 */
export async function afterTombstones(
  db: Database,
  sha256: string,
  now: string,
): Promise<{ created_at: string; again: string | null }> {
  const { last } = (await db.one<{ last: string | null }>(
    "SELECT max(created_at) AS last FROM kms_tombstone WHERE kind = 'client' AND subject = ?",
    [sha256],
  ))!;
  const created_at = last !== null && last >= now ? instant(new Date(Date.parse(last) + 1)) : now;
  return { created_at, again: last };
}

interface Burial {
  /** Column by which the clients are found. */
  clients: 'id' | 'provider_id';
  of: string;
  why: Tombstone['removal'];
  by: string;
}

/** Remembers clients as removed, those that are so already excepted; a hold is no removal. Their rows stay. */
export async function bury(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  { clients, of, why, by }: Burial,
): Promise<void> {
  const rows = await tx.all<{ sha256: string; name: string; id: string; provider: string; created_at: string }>(
    `SELECT c.sha256, c.name, p.id, p.name AS provider, c.created_at
      FROM kms_client AS c JOIN kms_provider AS p ON p.id = c.provider_id
      WHERE c.${clients} = ? AND NOT ${buriedSql('c', "AND why <> 'held'")}`,
    [of],
  );
  const now = instant(clock.now());
  for (const { sha256, name, id: provider_id, provider, created_at } of rows) {
    const row = { id: newId('kmstomb', entropy), kind: 'client', subject: sha256, provider_id, provider, name, why };
    const at = await afterTombstones(tx, sha256, created_at > now ? created_at : now);
    await tx.run(build('kms_tombstone').insert({ ...row, created_by: by, created_at: at.created_at }));
  }
}

/** Remembers the keys of a provider whose material was erased, before their rows go. */
export const buryErased = async (tx: Transaction, provider_id: string): Promise<void> => {
  await tx.run(
    `INSERT OR IGNORE INTO kms_tombstone (id, kind, subject, provider_id, provider, name, why, created_by, created_at)
      SELECT 'kmstomb_' || lower(hex(randomblob(10))), 'key', k.id, p.id, p.name, k.id, 'erased', 'key management',
        k.destroyed_at
      FROM kms_key AS k JOIN kms_provider AS p ON p.id = k.provider_id
      WHERE k.provider_id = ? AND k.kek_id = '' AND k.destroyed_at IS NOT NULL`,
    [provider_id],
  );
};

interface Row extends Omit<Tombstone, 'sha256' | 'removal' | 'removed_by' | 'removed_at'> {
  why: Tombstone['removal'];
  subject: string;
  created_by: string;
  created_at: string;
}

const viewOf = ({ subject, why, created_by, created_at, ...row }: Row): Tombstone => ({
  ...row,
  sha256: subject,
  removal: why,
  removed_by: created_by,
  removed_at: created_at,
});

const COLUMNS = ['id', 'provider_id', 'provider', 'name', 'subject', 'why', 'created_by', 'created_at'];

/** Of clients, newest first. @throws Problem 400 */
export const listRemoved = (
  db: Database,
  { provider_id, ...page }: { provider_id?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<Tombstone>> => {
  const list = build('kms_tombstone').select(COLUMNS).where('kind', 'client');
  if (provider_id !== undefined) list.where('provider_id', provider_id);
  return newestPage(db, list, page, viewOf);
};
