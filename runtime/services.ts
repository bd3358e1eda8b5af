// Makes the services from a configuration: open the store and the keys, choose the host driver.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refusedInWindow } from '../shared/appliance/apply/window/waiting.ts';
import { systemClock, systemEntropy } from '../shared/ground/clock.ts';
import { KEYRING_FILE, type Keyring, openKeyring } from '../shared/ground/sealing/keyring.ts';
import type { Store } from '../shared/ground/store/store.ts';
import { LastUse } from '../shared/kernel/access/last-use.ts';
import { LogTail } from '../shared/kernel/operation/log-tail.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { createHost } from '../shared/platform/host/create-host.ts';
import { anySealed } from '../shared/platform/vaults/sealed-tables.ts';
import { openData } from './begin.ts';
import type { Config } from './config.ts';
import { createLogger } from './log.ts';
import { VERSION } from './version.ts';

/** Opens everything that outlives a request. The caller closes `services.store`. @throws StartFault */
export async function openServices(
  config: Omit<Config, 'admin_password'>,
  assets: Record<string, string> = {},
): Promise<Services> {
  const { keys, store } = await openData(config.data, systemEntropy);
  const keyring = await vaultKeys(config.data, store).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const host = await createHost({
    kind: config.host.kind,
    ...(config.host.namespace !== null && { namespace: config.host.namespace }),
    dataFolder: config.data,
    guard: async () => (await import('../shared/appliance/host-guard.ts')).GUARD,
  });
  // The system's journal has them all.
  const tail = host.kind === 'system' ? undefined : new LogTail(systemClock);
  const { managementPlace } = await import('./management-names.ts');
  return {
    settings: {
      data: config.data,
      base_url: config.base_url,
      hostname: config.hostname,
      version: VERSION,
      ...managementPlace(config),
      public_listen: config.public_listen,
      depot_listen: config.depot_listen,
      assets,
    },
    store,
    keys,
    keyring,
    clock: systemClock,
    entropy: systemEntropy,
    host,
    logger: createLogger(config.log_level, VERSION, tail),
    ...(tail && { log_tail: tail }),
    lastUse: new LastUse(),
    // Loaded when somebody's access ends: every operation has these services.
    endElsewhere: async (tx, user_id, now) =>
      (await import('../shared/services/oidc/sessions/of-user.ts')).endSignInsAtClients(tx, user_id, now),
    waits: (owner) => refusedInWindow(store, owner),
    notify: () => undefined,
  };
}

/** Made while no other process can write: of two that start at once, the second finds what the first made. */
async function vaultKeys(folder: string, store: Store): Promise<Keyring> {
  if (existsSync(join(folder, KEYRING_FILE))) return openKeyring(folder, systemEntropy, true);
  return store.write(async (tx) => {
    return openKeyring(folder, systemEntropy, await anySealed(tx));
  });
}
