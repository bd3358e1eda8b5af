// Storage as a service with a name: it has no listeners of its own, and answers where its enabled datastores do.
import { pagePath } from '../../../ground/page-paths.ts';
import { familyOf } from './change.ts';
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

export const FAMILIES = ['ipv4', 'ipv6'] as const;
/** Octets of a label (RFC 1035). */
const LABEL_MOST = 63;

/**
 * Pure: the names that lead to addresses of one family alone: `nfs-ipv4.lab.test`. A host that chose the other family by the name of
 * both would ask where a datastore does not answer. None where the label would be too long.
 */
export function familyNames(hostname: string): Partial<Record<(typeof FAMILIES)[number], string>> {
  const [label = '', ...above] = hostname.split('.');
  if (label === '' || above.length === 0 || label.length + '-ipv4'.length > LABEL_MOST) return {};
  const nameOf = (family: string) => [`${label}-${family}`, ...above].join('.');
  return { ipv4: nameOf('ipv4'), ipv6: nameOf('ipv6') };
}

/**
 * Under the name, one address a datastore and family, none twice: a name with two of a family is for hosts in either network. And the
 * same for each family alone, under its own name.
 */
export function mountServer(
  saved: MountSettings | undefined,
  datastores: readonly Pick<DatastoreRow, 'addresses' | 'enabled'>[],
): ServiceRow[] {
  if (!saved?.enabled || !saved.hostname) return [];
  const listen_addresses = [...new Set(datastores.flatMap(({ enabled, addresses }) => (enabled ? addresses : [])))];
  const named = (hostname: string, addresses: string[]): ServiceRow => ({
    key: MOUNT_SERVER.key,
    document: { enabled: true, hostname, listen_interfaces: [], listen_addresses: addresses },
  });
  const names = familyNames(saved.hostname);
  const ofFamilies = FAMILIES.flatMap((family) => {
    const name = names[family];
    return name === undefined
      ? []
      : named(
          name,
          listen_addresses.filter((address) => familyOf(address) === family),
        );
  });
  return [named(saved.hostname, listen_addresses), ...ofFamilies];
}
