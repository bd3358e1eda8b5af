// Datastores that hosts can mount now: those in force, each with the texts by which a host may know its server.
import type { Services } from '../../kernel/operation/services.ts';
import { readSettings } from '../../platform/units/settings-store.ts';
import { storage } from '../../services/storage/facts.ts';
import { serversOf } from '../../services/storage/mount-commands.ts';
import { storageSettings } from '../../services/storage/settings.ts';
import { keptMountNames } from './mount-names.ts';
import { storageInForce } from './storage-in-force.ts';

export interface MountableDatastore {
  name: string;
  path: string;
  version: '3' | '4.1';
  servers: string[];
}

export async function mountableDatastores(services: Services): Promise<MountableDatastore[]> {
  const { saved } = await readSettings(services.store, storageSettings);
  const kept = await keptMountNames(services.store, saved.hostname);
  return [...storage.all(await storageInForce(services), 'datastore')].map(([name, { at, version, addresses }]) => ({
    name,
    path: at,
    version,
    servers: serversOf(saved.hostname, addresses, kept),
  }));
}
