// Vaults in the database.

import type { InferOutput } from 'valibot';
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { kickstartBlockers, NAMED_MOST, namedByKickstarts, refuseWhileNamed } from './kickstart-names.ts';
import type { vaultCreateSchema, vaultSchema, vaultUpdateSchema } from './schemas.ts';

export type Vault = InferOutput<typeof vaultSchema>;

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

const COLUMNS = `id, name, description, (SELECT count(*) FROM vault_entry WHERE vault_id = vault.id) AS entry_count,
  created_by, created_at, updated_at, revision`;

export interface VaultQuery {
  name?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** By name. */
export async function listVaults(db: Database, query: VaultQuery): Promise<Page<Vault>> {
  const list = build<Vault>('vault').select(build.raw(COLUMNS)).orderBy('name');
  if (query.name !== undefined) list.where('name', query.name);
  if (query.cursor) list.where('name', '>', String(decodeCursor(query.cursor, 1)[0]));
  const rows = await db.all<Vault>(list.limit(query.limit + 1));
  return pageOf(
    rows,
    query.limit,
    ({ name }) => [name],
    (row) => row,
  );
}

/** @throws Problem 404 */
export async function findVault(db: Database, id: string): Promise<Vault> {
  const vault = await db.one<Vault>(`SELECT ${COLUMNS} FROM vault WHERE id = ?`, [id]);
  if (!vault) throw notFound('This vault');
  return vault;
}

/** @throws Problem 409 for a name that is taken. */
export async function createVault(
  tx: Transaction,
  shell: Shell,
  draft: InferOutput<typeof vaultCreateSchema>,
  created_by: string,
): Promise<Vault> {
  const id = newId('vault', shell.entropy);
  const now = instant(shell.clock.now());
  const { name, description = '' } = draft;
  await tx
    .run('INSERT INTO vault (id, name, description, created_by, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)', [
      id,
      name,
      description,
      created_by,
      now,
      now,
    ])
    .catch(taken(name));
  return { id, name, description, entry_count: 0, created_by, created_at: now, updated_at: now, revision: 1 };
}

/** Changes what is named; without a difference nothing. @throws Problem 404, 412; 409, also while Kickstarts name it */
export async function updateVault(
  tx: Transaction,
  shell: Shell,
  id: string,
  patch: InferOutput<typeof vaultUpdateSchema>,
  if_match: Precondition,
): Promise<{ vault: Vault; changed: string[] }> {
  const before = await findVault(tx, id);
  requireRevision(if_match, before.revision);
  const { name = before.name, description = before.description } = patch;
  const wanted = { name, description };
  const changed = (['name', 'description'] as const).filter((member) => wanted[member] !== before[member]);
  if (changed.length === 0) return { vault: before, changed };
  if (changed.includes('name')) await refuseWhileNamed(tx, { vault: before.name });
  const now = instant(shell.clock.now());
  await tx
    .run('UPDATE vault SET name = ?, description = ?, updated_at = ?, revision = revision + 1 WHERE id = ?', [
      name,
      description,
      now,
      id,
    ])
    .catch(taken(name));
  return { vault: { ...before, ...wanted, updated_at: now, revision: before.revision + 1 }, changed };
}

/** @throws Problem 404, 412; 409 while Kickstarts name it, and for one with entries, unless they may go as well. */
export async function deleteVault(
  tx: Transaction,
  id: string,
  options: { if_match: Precondition; with_entries: boolean },
): Promise<Vault> {
  const vault = await findVault(tx, id);
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

function taken(name: string): (error: Error) => never {
  return (error) => {
    if (!error.message.includes('UNIQUE')) throw error;
    throw new Problem('already_exists', `A vault named ${name} already exists.`, {
      errors: [{ pointer: '/name', detail: 'Another vault has this name.' }],
    });
  };
}
