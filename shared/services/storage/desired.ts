// Reads the desired state of the unit: four statements, whatever it holds, and one while storage is off.
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { ANY_CLIENT } from '../../platform/interfaces/refresh/snapshot.ts';
import { listeningOn } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { StorageDatastore } from './datastores.ts';
import type { Filesystem, FilesystemKind } from './disk-fitness.ts';
import type { Work } from './disk-order.ts';
import { storageSettings } from './settings.ts';
import type { StorageVolume } from './volumes.ts';

export type StorageSettings = (typeof storageSettings)['defaults'];
type Family = 'ipv4' | 'ipv6';
export type DesiredVolume = Pick<StorageVolume, 'name' | 'device' | 'mount_path'> & {
  /** What the appliance made on its disk, or is to make; left out where somebody else did. */
  filesystem?: Filesystem;
  /** Work on its disk that was ordered. `plan`: the plan that was submitted with it; '' before. */
  ordered?: { work: Work; plan: string };
};

export interface DesiredDatastore {
  /** Of its row: what hosts know it by is made of this. */
  id: string;
  name: string;
  /** Where its volume is mounted. */
  mount_path: string;
  /** Below the mount path. */
  path: string;
  version: StorageDatastore['nfs_version'];
  /** GiB; 0: no limit. Left out in what an older release remembered. */
  size_limit_gib?: number;
  interface: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses at which somebody may mount it, IPv4 first. */
  addresses: string[];
  /** Networks of clients in the families of these addresses. */
  clients: string[];
  /** Families in which it has clients, but its interface no static address. */
  unserved: Family[];
}

export interface StorageDesired {
  settings: StorageSettings;
  /** Enabled ones, by name. */
  volumes: DesiredVolume[];
  /** Enabled ones on enabled volumes, by name. */
  datastores: DesiredDatastore[];
}

const VOLUMES = `SELECT name, device, mount_path, filesystem, filesystem_uuid, filesystem_bytes, disk_fingerprint,
    ordered_work, ordered_plan
  FROM storage_volume WHERE enabled = 1 ORDER BY name`;
const DATASTORES = `SELECT datastore.id, datastore.name, mount_path, path, nfs_version AS version, size_limit_gib, interface,
    address_families, ipv4_clients, ipv6_clients
  FROM storage_datastore AS datastore JOIN storage_volume AS volume ON volume.id = volume_id
  WHERE datastore.enabled = 1 AND volume.enabled = 1 ORDER BY datastore.name`;

type VolumeRow = Pick<StorageVolume, 'name' | 'device' | 'mount_path' | 'filesystem' | 'filesystem_uuid'> &
  Pick<StorageVolume, 'filesystem_bytes' | 'disk_fingerprint' | 'ordered_work'> & { ordered_plan: string };

const volumeOf = ({ name, device, mount_path, ...row }: VolumeRow): DesiredVolume => ({
  ...{ name, device, mount_path },
  ...(row.filesystem !== '' && {
    filesystem: {
      kind: row.filesystem as FilesystemKind,
      uuid: row.filesystem_uuid,
      bytes: row.filesystem_bytes,
      fingerprint: row.disk_fingerprint,
    },
  }),
  ...(row.ordered_work !== '' && { ordered: { work: row.ordered_work as Work, plan: row.ordered_plan } }),
});

type DatastoreRow = Pick<
  DesiredDatastore,
  'id' | 'name' | 'mount_path' | 'path' | 'version' | 'size_limit_gib' | 'interface'
> &
  Record<'address_families' | 'ipv4_clients' | 'ipv6_clients', string>;

const EVERYBODY = { ipv4: '0.0.0.0/0', ipv6: '::/0' } as const;
export const isEverybody = (network: string): boolean => network === EVERYBODY.ipv4 || network === EVERYBODY.ipv6;
export const familyOf = (text: string): Family => (text.includes(':') ? 'ipv6' : 'ipv4');

/** Pure. A family without clients is not served, and one without an address has nobody to serve. */
export function servedIn(
  found: readonly string[],
  families: readonly string[],
  saved: Readonly<Record<Family, readonly string[]>>,
): Pick<DesiredDatastore, 'addresses' | 'clients' | 'unserved'> {
  const wanted = (['ipv4', 'ipv6'] as const).filter((family) => families.includes(family) && saved[family].length > 0);
  const addresses = found.filter((address) => wanted.includes(familyOf(address)));
  const isServed = (family: Family) => addresses.some((address) => familyOf(address) === family);
  const clients = wanted
    .filter(isServed)
    .flatMap((family) => saved[family].map((network) => (network === ANY_CLIENT ? EVERYBODY[family] : network)));
  return { addresses, clients, unserved: wanted.filter((family) => !isServed(family)) };
}

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database): Promise<StorageDesired> {
  const settings = settingsOf(storageSettings, (await savedDocument(db, storageSettings.key))?.document);
  if (!settings.enabled) return { settings, volumes: [], datastores: [] };
  const volumes = (await db.all<VolumeRow>(VOLUMES)).map(volumeOf);
  const rows = await db.all<DatastoreRow>(DATASTORES);
  const interfaces = await loadInterfaces(db);
  const datastores = rows.map(({ address_families, ipv4_clients, ipv6_clients, ...row }) => {
    const [on] = listeningOn([row.interface], interfaces);
    const saved = { ipv4: JSON.parse(ipv4_clients) as string[], ipv6: JSON.parse(ipv6_clients) as string[] };
    const families = JSON.parse(address_families) as string[];
    return { ...row, usable: on!.usable, ...servedIn(on!.addresses, families, saved) };
  });
  return { settings, volumes, datastores };
}

/** Datastores that somebody may mount: one without clients is not exported at all. */
export const exported = ({ settings, datastores }: StorageDesired): DesiredDatastore[] =>
  settings.enabled ? datastores.filter(({ clients }) => clients.length > 0) : [];

/** Those that have a size limit. */
export const limited = (desired: StorageDesired): DesiredDatastore[] =>
  exported(desired).filter(({ size_limit_gib = 0 }) => size_limit_gib > 0);

/** The folder of a datastore, which is also what hosts mount. */
export const folderOf = ({ mount_path, path }: Pick<DesiredDatastore, 'mount_path' | 'path'>): string =>
  `${mount_path}/${path}`;

/** Addresses that the server answers at, none twice. */
export const addressesOf = (datastores: readonly DesiredDatastore[]): string[] => [
  ...new Set(datastores.flatMap(({ addresses }) => addresses)),
];

export const speaksVersion3 = (datastores: readonly DesiredDatastore[]): boolean =>
  datastores.some(({ version }) => version === '3');
