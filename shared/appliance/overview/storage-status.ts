// Storage as it is now: how full, and who uses it. By what is in force, not by what is saved.
import * as v from 'valibot';
import { component, described } from '../../ground/schemas/component.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { knownNames } from '../../services/dns-dhcp/known-names.ts';
import { storage } from '../../services/storage/facts.ts';
import { type MountingHost, mountingHosts } from '../../services/storage/mounted-by.ts';
import { sightings } from '../../services/storage/server-sightings.ts';
import { type StorageUsage, storageUsage } from '../../services/storage/usage.ts';
import { storageInForce } from './storage-in-force.ts';

export interface StorageStatus extends StorageUsage {
  /** Whether the server tells its clients of NFS 4.1 and their leases. */
  tells_clients: boolean;
  hosts: (MountingHost & { name: string | null })[];
}

const bytes = (what: string) =>
  described(v.nullable(v.number()), `${what}; null: its disk is away, or it could not be looked at.`);
const usage = {
  name: described(v.string(), 'As in force.'),
  size_bytes: bytes('Size'),
  free_bytes: bytes('What can still be written'),
};
const names = (what: string) => described(v.array(v.string()), what);

export const storageStatusSchema = component(
  'StorageStatus',
  v.object({
    volumes: described(
      v.array(
        v.object({
          ...usage,
          mounted: described(
            v.nullable(v.boolean()),
            'Whether a disk is mounted at its place; null: this host has no disks of its own.',
          ),
        }),
      ),
      'Volumes in force.',
    ),
    datastores: described(
      v.array(
        v.object({
          ...usage,
          volume: described(v.string(), 'Name of its volume.'),
          limited: described(v.boolean(), 'Whether it has a size limit; else size and what is free are its volume’s.'),
        }),
      ),
      'Datastores in force.',
    ),
    tells_clients: described(
      v.boolean(),
      'Whether the server tells its clients of NFS 4.1; else only connections are known.',
    ),
    hosts: described(
      v.array(
        v.object({
          address: described(v.string(), 'Its address.'),
          name: described(v.nullable(v.string()), 'By a record or reservation of this appliance; null: it has none.'),
          version: described(v.nullable(v.picklist(['3', '4.1'])), 'Version of NFS; null: the server does not say.'),
          program: described(v.string(), 'What it says that it is; empty: nothing.'),
          renewed_seconds: described(v.nullable(v.number()), 'Since it renewed its lease; null: not known.'),
          open_files: described(v.nullable(v.number()), 'Files that it has open; null: not known.'),
          connected_to: names('Addresses of this appliance that it is connected to now.'),
          datastores: names(
            'Names of datastores. Over NFS 3: what it mounted, and perhaps unmounted since. Over 4.1 nobody says which: those that it may mount where it is connected.',
          ),
        }),
      ),
      'Hosts that use the datastores.',
    ),
  }),
);

const NOTHING: StorageStatus = { volumes: [], datastores: [], tells_clients: false, hosts: [] };

export async function storageStatus(services: Services): Promise<StorageStatus> {
  const { host, store } = services;
  const inForce = await storageInForce(services);
  const datastores = [...storage.all(inForce, 'datastore')];
  if (!host.enforces || inForce === null) return NOTHING;
  const [usage, seen] = await Promise.all([
    storageUsage(host, inForce),
    datastores.length > 0 ? sightings(host) : { connections: [], known: null, mounts: [] },
  ]);
  const hosts = mountingHosts(datastores, seen);
  const known = await knownNames(
    store,
    hosts.map(({ address }) => address),
  );
  return {
    ...usage,
    tells_clients: seen.known !== null,
    hosts: hosts.map((each) => ({ ...each, name: known.get(each.address) ?? null })),
  };
}
