// Rotating the key-encryption key: a new key is made, the data key of every sealed value (vault entries and private
// keys of certificates) is sealed with it, and unused keys are forgotten. Rotation can be cut off and begun again at
// any moment: every value can be opened all the time.

import { Problem } from '../../ground/problems.ts';
import { type KeyEncryptionKey, rewrap, type SealedPlace, VaultFault } from '../../ground/sealing/envelope.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type AuditContext, type AuditEvent, appendAudit, listedSince } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { keyUses, otherRows, resealRows, SEALED_TABLES, type SealedRow, type SealedTable } from './sealed-tables.ts';

export type RotationServices = Pick<Services, 'store' | 'keyring' | 'keys' | 'entropy' | 'checkpoint'>;

/** Rows of one transaction, during which nobody else can write. */
export const BATCH = 200;

export interface Rewrapped {
  /** Rows of all tables. */
  entries: number;
  /** Ids of rows whose data key can't be opened; they stay sealed with their old key. */
  unreadable: string[];
}

/** Makes the new key durable and current, unless an earlier run did. From now on it seals every new value. */
export async function makeKey(services: RotationServices, kek_id: string): Promise<void> {
  const { store, keyring } = services;
  await at(services, 'vault key: begin');
  await store.write(() => keyring.add(kek_id));
  await at(services, 'vault key: made');
}

/** Seals every data key with the current key. `between`: called after each batch; may throw to stop. */
export async function rewrapEntries(
  services: RotationServices,
  between: (entries: number) => Promise<void> = async () => undefined,
): Promise<Rewrapped> {
  const all: Rewrapped = { entries: 0, unreadable: [] };
  for (let from: Position | null = { table: 0, after: '' }; from !== null; ) {
    const position: Position = from;
    const batch = await services.store.write((tx) => rewrapBatch(tx, services, position));
    all.entries += batch.entries;
    all.unreadable.push(...batch.unreadable);
    from = batch.next;
    await at(services, 'vault key: batch');
    await between(all.entries);
  }
  return all;
}

/** Progress: all tables before this one are done, and its rows up to this id. */
interface Position {
  table: number;
  after: string;
}

interface Row extends SealedRow {
  kek_id: string;
  sealed_key: string;
}

async function rewrapBatch(
  tx: Transaction,
  services: RotationServices,
  { table, after }: Position,
): Promise<Rewrapped & { next: Position | null }> {
  const batch: Rewrapped = { entries: 0, unreadable: [] };
  let left = BATCH;
  for (const [at, each] of SEALED_TABLES.entries()) {
    if (at < table) continue;
    const rows = await rewrapRows(tx, services, each, at === table ? after : '', left, batch);
    if (rows.length === left) return { ...batch, next: { table: at, after: rows.at(-1)!.id } };
    left -= rows.length;
  }
  return { ...batch, next: null };
}

/** Seals the data keys of the rows anew, and adds the results to `batch`. */
async function rewrapRows(
  tx: Transaction,
  { keyring, entropy }: RotationServices,
  table: SealedTable,
  after: string,
  most: number,
  batch: Rewrapped,
): Promise<Row[]> {
  // Another rotation may have made a newer one.
  const current = await keyring.current();
  const rows = await tx.all<Row>(otherRows(table), [current.id, after, most]);
  const fresh: Record<string, string> = {};
  for (const [id, named] of Map.groupBy(rows, ({ kek_id }) => kek_id)) {
    const key = await keyring.find(id);
    for (const row of named) {
      const sealed = key && rewrapped({ id, key }, current, table.place(row), row.sealed_key, entropy);
      if (sealed) fresh[row.id] = sealed;
      else batch.unreadable.push(row.id);
    }
  }
  const count = Object.keys(fresh).length;
  if (count > 0) await tx.run(resealRows(table), [current.id, JSON.stringify(fresh)]);
  batch.entries += count;
  return rows;
}

function rewrapped(
  from: KeyEncryptionKey,
  to: KeyEncryptionKey,
  place: SealedPlace,
  sealed_key: string,
  entropy: RotationServices['entropy'],
): string | null {
  try {
    return rewrap(from, to, place, sealed_key, entropy);
  } catch (error) {
    if (error instanceof VaultFault) return null;
    throw error;
  }
}

/**
 * Forgets keys that no row uses. Answers their ids. First they are announced in the audit log, and that is committed.
 * Then, in one write transaction, they are counted again, recorded as forgotten, and removed from the file last. If the
 * process ends between file and commit, the next run finds announced keys that are gone, and records those.
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

async function removeKeys(
  tx: Transaction,
  services: RotationServices,
  who: AuditContext,
  { entries, unreadable }: Rewrapped,
): Promise<string[]> {
  const { keyring } = services;
  // Announced by this run or by one that was cut off: since keys were last recorded as forgotten.
  const announced = await listedSince(tx, { action: RETIRING, member: 'keys', since: RETIRED });
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
  const used = new Set((await keyUses(tx)).map(({ kek_id }) => kek_id));
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

/** @throws Problem 409 that names the rows that could not be sealed anew; all others are. */
export function refuseUnreadable({ unreadable }: Rewrapped): void {
  if (unreadable.length === 0) return;
  const some = unreadable.slice(0, 5).join(', ');
  throw new Problem(
    'vault_value_unreadable',
    `${unreadable.length} of the sealed values can’t be opened and keep their old key: ${some}${unreadable.length > 5 ? ', …' : ''}. Store them again or delete them (certificates are made anew when they are next used), then rotate again.`,
  );
}

async function at({ checkpoint }: RotationServices, step: string): Promise<void> {
  await checkpoint?.(step);
}
