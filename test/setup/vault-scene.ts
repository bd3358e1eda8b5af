// A data folder with a vault full of entries, as the service and the command line see it, and the rotation of its key.
import { join } from 'node:path';
import { instant, systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { openEntry } from '../../shared/ground/sealing/envelope.ts';
import { KEYRING_FILE, newKeyId, openKeyring } from '../../shared/ground/sealing/keyring.ts';
import { openKeys } from '../../shared/ground/sealing/keys.ts';
import type { Observe } from '../../shared/ground/store/connection.ts';
import { openStore } from '../../shared/ground/store/open-store.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import type { AuditContext } from '../../shared/kernel/audit/audit.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { createEntry } from '../../shared/platform/vaults/entry-store.ts';
import { BATCH, makeKey, refuseUnreadable, retireKeys, rewrapEntries } from '../../shared/platform/vaults/rotate.ts';
import { createVault } from '../../shared/platform/vaults/vault-store.ts';

export type Side = Pick<Services, 'store' | 'keys' | 'keyring' | 'clock' | 'entropy' | 'checkpoint'>;

/** Three batches. */
export const ENTRIES = 2 * BATCH + 50;
export const valueFor = (key: string): string => `canary-value-of-${key}`;

/** One program on the folder; several may be open at once. */
export async function openSide(folder: string, observe?: Observe): Promise<Side> {
  const store = await openStore(folder, observe);
  const keys = await openKeys(folder, systemEntropy, false);
  const keyring = await openKeyring(folder, systemEntropy, false);
  return { store, keys, keyring, clock: systemClock, entropy: systemEntropy };
}

export const keysFile = (folder: string): string => join(folder, KEYRING_FILE);

/** Makes the vault with its entries `e0`, `e1`, …; answers its id. */
export async function fill(side: Side, count = ENTRIES): Promise<string> {
  return side.store.write(async (tx) => {
    const { id } = await createVault(tx, side, { name: 'lab' }, 'ada');
    for (let n = 0; n < count; n++) {
      await createEntry(tx, side, id, { key: `e${n}`, username: 'root', value: valueFor(`e${n}`) });
    }
    return id;
  });
}

/** As the command line does it. */
export async function rotate(side: Side): Promise<string> {
  const kek_id = newKeyId(side.entropy);
  await makeKey(side, kek_id);
  const rewrapped = await rewrapEntries(side);
  await retireKeys(side, system(), rewrapped);
  refuseUnreadable(rewrapped);
  return kek_id;
}

export const system = (): AuditContext => ({
  at: instant(systemClock.now()),
  actor: systemActor('test'),
  request_id: 'test',
  source_address: '',
});

export const administrator = (): AuditContext => ({
  ...system(),
  actor: { ...systemActor('ada'), kind: 'token', user_id: 'user_ada', role: 'admin', scopes: scopesOfRole('admin') },
  source_address: '10.0.0.9',
});

export interface Standing {
  entries: number;
  /** Keys of entries whose value is another one or can't be opened. */
  wrong: string[];
  /** Keys of the file, and those that entries name. */
  held: number;
  named: number;
  current: boolean;
}

/** What a program that starts now can open. `expected`: what other writers stored meanwhile. */
export async function standing(folder: string, expected = valueFor): Promise<Standing> {
  const { store, keyring } = await openSide(folder);
  try {
    const rows = await store.all<{
      id: string;
      vault_id: string;
      key: string;
      kek_id: string;
      sealed_key: string;
      sealed_value: string;
    }>('SELECT * FROM vault_entry WHERE sealed_value IS NOT NULL');
    const wrong: string[] = [];
    const keys = new Map(
      await Promise.all((await keyring.ids()).map(async (id) => [id, await keyring.find(id)] as const)),
    );
    for (const row of rows) {
      const key = keys.get(row.kek_id) ?? null;
      const place = { vault_id: row.vault_id, entry_id: row.id, field: 'value' as const };
      try {
        if (key === null || openEntry({ id: row.kek_id, key }, place, row) !== expected(row.key)) wrong.push(row.key);
      } catch {
        wrong.push(row.key);
      }
    }
    const named = new Set(rows.map(({ kek_id }) => kek_id));
    const { id } = await keyring.current();
    const held = (await keyring.ids()).length;
    return { entries: rows.length, wrong, held, named: named.size, current: named.size === 1 && named.has(id) };
  } finally {
    await store.close();
  }
}
