// Storage as a service with a name: it has no listeners of its own, and answers where its enabled datastores do.
import { pagePath } from '../../../ground/page-paths.ts';
import type { DatastoreRow, ServiceDependents, ServiceRow } from './snapshot.ts';

export const MOUNT_SERVER: ServiceDependents = {
  key: 'storage',
  unit: 'storage',
  label: 'Storage',
  page: pagePath('storage-settings'),
  lastBinding: 'clear',
  hostname: 'hostname',
};

/** What is saved of storage; null: nothing. */
export type MountSettings = { enabled?: boolean; hostname?: string } | null;

/** One address a datastore and family, none twice: a name with two of a family is for hosts in either network. */
export function mountServer(
  saved: MountSettings | undefined,
  datastores: readonly Pick<DatastoreRow, 'addresses' | 'enabled'>[],
): ServiceRow[] {
  if (!saved?.enabled || !saved.hostname) return [];
  const listen_addresses = [...new Set(datastores.flatMap(({ enabled, addresses }) => (enabled ? addresses : [])))];
  return [
    {
      key: MOUNT_SERVER.key,
      document: { enabled: true, hostname: saved.hostname, listen_interfaces: [], listen_addresses },
    },
  ];
}
