// Rotating the key-encryption key: a new key is made, every entry's data key is sealed under it, and keys that nothing uses
// any more are forgotten. It can be cut off at any moment and begun again: at each of them every value can be opened.
import { type AuditContext, type AuditEvent, appendAudit } from '../audit/audit.ts';
import { Problem } from '../operation/problems.ts';
import type { Services } from '../operation/services.ts';
import type { Transaction } from '../store/database.ts';
import { type KeyEncryptionKey, rewrap, VaultFault } from './envelope.ts';

export type RotationServices = Pick<Services, 'store' | 'keyring' | 'keys' | 'entropy' | 'checkpoint'>;

/** Entries of one transaction: nobody else can write meanwhile. */
export const BATCH = 200;

export interface Rewrapped {
  entries: number;
  /** Ids of entries whose data key can't be opened; they keep the key that they have. */
  unreadable: string[];
}

/** Makes the new key durable and current, unless an earlier try did. From here on every new value is sealed under it. */
export async function makeKey(services: RotationServices, kek_id: string): Promise<void> {
  const { store, keyring } = services;
  await at(services, 'vault key: begin');
  await store.write(() => keyring.add(kek_id));
  await at(services, 'vault key: made');
}

/** Seals the data key of every entry under the current key. `between`: called after each batch; it may throw to stop. */
export async function rewrapEntries(
  services: RotationServices,
  between: (entries: number) => Promise<void> = async () => undefined,
): Promise<Rewrapped> {
  const all: Rewrapped = { entries: 0, unreadable: [] };
  for (let after: string | null = ''; after !== null; ) {
    const last: string = after;
    const batch = await services.store.write((tx) => rewrapBatch(tx, services, last));
    all.entries += batch.entries;
    all.unreadable.push(...batch.unreadable);
    after = batch.last;
    await at(services, 'vault key: batch');
    await between(all.entries);
  }
  return all;
}

interface Row {
  id: string;
  vault_id: string;
  kek_id: string;
  sealed_key: string;
}

const OTHERS = `SELECT id, vault_id, kek_id, sealed_key FROM vault_entry
  WHERE kek_id IS NOT NULL AND kek_id <> ? AND id > ? ORDER BY id LIMIT ${BATCH}`;
const REWRAP = `UPDATE vault_entry SET kek_id = ?, sealed_key = fresh.value
  FROM json_each(?) AS fresh WHERE vault_entry.id = fresh.key`;

async function rewrapBatch(
  tx: Transaction,
  { keyring, entropy }: RotationServices,
  after: string,
): Promise<Rewrapped & { last: string | null }> {
  // Another rotation may have made a newer one.
  const current = await keyring.current();
  const rows = await tx.all<Row>(OTHERS, [current.id, after]);
  const fresh: Record<string, string> = {};
  const unreadable: string[] = [];
  for (const [id, named] of Map.groupBy(rows, ({ kek_id }) => kek_id)) {
    const key = await keyring.find(id);
    for (const row of named) {
      const sealed = key && rewrapped({ id, key }, current, row, entropy);
      if (sealed) fresh[row.id] = sealed;
      else unreadable.push(row.id);
    }
  }
  if (Object.keys(fresh).length > 0) await tx.run(REWRAP, [current.id, JSON.stringify(fresh)]);
  const last = rows.length === BATCH ? rows.at(-1)!.id : null;
  return { entries: Object.keys(fresh).length, unreadable, last };
}

function rewrapped(
  from: KeyEncryptionKey,
  to: KeyEncryptionKey,
  { id, vault_id, sealed_key }: Row,
  entropy: RotationServices['entropy'],
): string | null {
  try {
    return rewrap(from, to, { vault_id, entry_id: id, field: 'value' }, sealed_key, entropy);
  } catch (error) {
    if (error instanceof VaultFault) return null;
    throw error;
  }
}

/**
 * Forgets the keys that no entry names. Counted, recorded and removed while nobody else can write: the file last, so that
 * what fails before leaves all keys where they are. Answers their ids.
 */
export async function retireKeys(
  services: RotationServices,
  who: AuditContext,
  { entries, unreadable }: Rewrapped,
): Promise<string[]> {
  const { store, keyring, keys } = services;
  const retired = await store.write(async (tx) => {
    const { id: current } = await keyring.current();
    const rows = await tx.all<{ kek_id: string }>(
      'SELECT DISTINCT kek_id FROM vault_entry WHERE kek_id IS NOT NULL ORDER BY kek_id',
    );
    const used = new Set(rows.map(({ kek_id }) => kek_id));
    const unused = (await keyring.ids()).filter((id) => id !== current && !used.has(id));
    const detail = { current, retired: unused, entries, unreadable: unreadable.length };
    const event: AuditEvent = {
      action: 'vault.key.retire',
      resource_type: 'vault_key',
      resource_id: current,
      outcome: unreadable.length === 0 ? 'success' : 'failure',
      detail,
    };
    await appendAudit(tx, keys, who, event, { holdsLock: true });
    await at(services, 'vault key: recorded');
    await keyring.retire(unused);
    await at(services, 'vault key: removed');
    return unused;
  });
  await at(services, 'vault key: retired');
  return retired;
}

/** @throws Problem 409 that names the entries that could not be taken along; everything else is done. */
export function refuseUnreadable({ unreadable }: Rewrapped): void {
  if (unreadable.length === 0) return;
  const some = unreadable.slice(0, 5).join(', ');
  throw new Problem(
    'vault_value_unreadable',
    `${unreadable.length} of the vaults’ values can’t be opened and keep their old key: ${some}${unreadable.length > 5 ? ', …' : ''}. Store them again or delete them, then rotate again.`,
  );
}

async function at({ checkpoint }: RotationServices, step: string): Promise<void> {
  await checkpoint?.(step);
}
