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
 * Forgets the keys that no entry names. Which ones is recorded and committed first. Then they are counted again, recorded
 * as forgotten and removed while nobody else can write, the file last: cut off between the file and the commit, the next
 * run finds what was announced and is gone, and records that. Answers their ids.
 */
export async function retireKeys(
  services: RotationServices,
  who: AuditContext,
  rewrapped: Rewrapped,
): Promise<string[]> {
  const { store } = services;
  await store.write(async (tx) => {
    const { current, unused } = await unusedKeys(tx, services);
    if (unused.length > 0) await record(tx, services, who, { action: RETIRING, current, detail: { keys: unused } });
  });
  await at(services, 'vault key: announced');
  const retired = await store.write((tx) => removeKeys(tx, services, who, rewrapped));
  await at(services, 'vault key: retired');
  return retired;
}

const RETIRING = 'vault.key.retiring';
const RETIRED = 'vault.key.retire';
/** Announced by this run, or by one that was cut off: by any since keys were last recorded as forgotten. */
const ANNOUNCED = `SELECT DISTINCT k.value AS id FROM audit_event e, json_each(e.detail, '$.keys') k
  WHERE e.action = '${RETIRING}'
    AND e.seq > coalesce((SELECT max(seq) FROM audit_event WHERE action = '${RETIRED}'), 0) ORDER BY 1`;

async function removeKeys(
  tx: Transaction,
  services: RotationServices,
  who: AuditContext,
  { entries, unreadable }: Rewrapped,
): Promise<string[]> {
  const { keyring } = services;
  const announced = (await tx.all<{ id: string }>(ANNOUNCED)).map(({ id }) => id);
  const { current, held, unused } = await unusedKeys(tx, services);
  const retired = announced.filter((id) => unused.includes(id) || !held.includes(id));
  const outcome = unreadable.length === 0 ? 'success' : 'failure';
  const detail = { current, retired, entries, unreadable: unreadable.length };
  await record(tx, services, who, { action: RETIRED, current, outcome, detail });
  await at(services, 'vault key: recorded');
  await keyring.retire(retired);
  await at(services, 'vault key: removed');
  return retired;
}

async function unusedKeys(
  tx: Transaction,
  { keyring }: RotationServices,
): Promise<{ current: string; held: string[]; unused: string[] }> {
  const { id: current } = await keyring.current();
  const rows = await tx.all<{ kek_id: string }>(
    'SELECT DISTINCT kek_id FROM vault_entry WHERE kek_id IS NOT NULL ORDER BY kek_id',
  );
  const used = new Set(rows.map(({ kek_id }) => kek_id));
  const held = await keyring.ids();
  return { current, held, unused: held.filter((id) => id !== current && !used.has(id)) };
}

async function record(
  tx: Transaction,
  { keys }: RotationServices,
  who: AuditContext,
  { current, ...event }: Pick<AuditEvent, 'action' | 'outcome' | 'detail'> & { current: string },
): Promise<void> {
  const about = { resource_type: 'vault_key', resource_id: current };
  await appendAudit(tx, keys, who, { ...event, ...about }, { holdsLock: true });
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
