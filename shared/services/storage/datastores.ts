// Datastores: folders of a volume that ESXi hosts mount over NFS at the addresses of exactly one interface.
import * as v from 'valibot';
import { networkOf, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import { component, described, idSchema, listOf, text } from '../../ground/schemas/component.ts';
import { plainUnstated } from '../../ground/schemas/plain-text.ts';
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces, NAME_MOST } from '../../platform/interfaces/interface.ts';
import { missingFamilies, mountAddresses } from '../../platform/interfaces/refresh/datastores.ts';
import { type AddressFamily, ANY_CLIENT } from '../../platform/interfaces/refresh/snapshot.ts';
import { standingIn, standings } from '../../platform/interfaces/refresh/standing.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { type Listenable, listenable } from '../../platform/units/settings-store.ts';
import { isPath, nested } from './paths.ts';
import { storageVolumes } from './volumes.ts';

export const NFS_VERSIONS = ['3', '4.1'] as const;
const FAMILIES: readonly AddressFamily[] = ['ipv4', 'ipv6'];

export interface StorageDatastore extends Kept {
  name: string;
  volume_id: string;
  path: string;
  nfs_version: (typeof NFS_VERSIONS)[number];
  /** 0: as much as its volume has. */
  size_limit_gib: number;
  interface: string;
  address_families: AddressFamily[];
  addresses: string[];
  ipv4_clients: string[];
  ipv6_clients: string[];
}

const name = v.pipe(
  v.string(),
  v.maxLength(42, 'At most 42 characters.'),
  plainUnstated,
  v.regex(/^[^\p{Cc}/\\%]*$/u, 'A datastore name has no slash, backslash or percent sign.'),
  v.description('Name in vSphere: 1 to 42 characters, no slash, backslash or percent sign. Unique.'),
);
const volumeId = v.pipe(v.string(), v.maxLength(64), v.description('Id of the volume that it is kept on.'));
const path = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description(
    'Folder below the mount path of the volume. Empty or left out: the name, with a hyphen for what a path cannot hold.',
  ),
);
const nfsVersion = described(v.picklist(NFS_VERSIONS), 'Version that hosts are to mount it with. Default 4.1.');
/** GiB: a pebibyte. */
const LIMIT_MOST = 1_048_576;
const sizeLimit = v.pipe(
  v.number(),
  v.integer('Must be a whole number of GiB.'),
  v.minValue(0, 'Must be 0, for no limit, or more.'),
  v.maxValue(LIMIT_MOST, `At most ${LIMIT_MOST} GiB.`),
  v.description(
    'Size limit in GiB, which hosts see as capacity; 0 or left out: none. Its volume has to carry XFS: ext4 enforces no limit against root, as whom ESX writes.',
  ),
);
const interfaceName = v.pipe(
  v.string(),
  v.maxLength(NAME_MOST),
  v.description('The one interface that serves it, by name.'),
);
const families = v.pipe(
  v.array(v.picklist(FAMILIES)),
  v.minLength(1, 'Choose at least one address family.'),
  v.maxLength(2, 'There are two address families.'),
  v.description('Families in which it is served; the interface needs an address of each.'),
);
const clients = (family: 4 | 6) =>
  v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(64))),
    v.maxLength(64, 'At most 64 networks.'),
    v.description(
      `IPv${family} networks, or single addresses, of clients that may mount it. Empty: nobody over IPv${family}; \`${ANY_CLIENT}\`: every client that reaches the address.`,
    ),
  );

const item = component(
  'StorageDatastore',
  v.object({
    id: idSchema,
    name: text('Name in vSphere. Unique.'),
    volume_id: text('Id of the volume that it is kept on.'),
    path: text('Folder below the mount path of the volume.'),
    nfs_version: described(v.picklist(NFS_VERSIONS), 'Version that hosts are to mount it with.'),
    size_limit_gib: described(v.number(), 'Size limit in GiB; 0: as much as its volume has.'),
    interface: text('The one interface that serves it, by name.'),
    address_families: described(v.array(v.picklist(FAMILIES)), 'Families in which it is served.'),
    addresses: described(v.array(v.string()), 'Addresses at which it is mounted: derived from the interface.'),
    ipv4_clients: described(
      v.array(v.string()),
      'IPv4 networks that may mount it; empty: nobody over IPv4; `any`: everybody.',
    ),
    ipv6_clients: described(
      v.array(v.string()),
      'IPv6 networks that may mount it; empty: nobody over IPv6; `any`: everybody.',
    ),
    ...KEPT_MEMBERS,
  }),
);
const choices = {
  path: v.optional(path),
  nfs_version: v.optional(nfsVersion),
  size_limit_gib: v.optional(sizeLimit),
  ipv4_clients: v.optional(clients(4)),
  ipv6_clients: v.optional(clients(6)),
  enabled: v.optional(enabledMember('saved, but not served.')),
  description: v.optional(descriptionMember),
};
const members = { name, volume_id: volumeId, interface: interfaceName, address_families: families };

export const storageDatastores: Collection<StorageDatastore> = {
  table: 'storage_datastore',
  prefix: 'ds',
  noun: 'datastore',
  tag: 'Storage',
  resource: 'storage',
  path: '/api/v1/storage/datastores',
  param: 'datastore_id',
  pages: { all: 'datastores', one: 'datastore', home: 'storage' },
  listed: { component: 'StorageDatastores', noun: 'datastore', nouns: 'datastores' },
  imports: {
    key: ['name'],
    names: { volume: { of: 'volume_id', collection: () => storageVolumes, member: 'name' } },
  },
  action: 'storage.datastore',
  columns: {
    name: 'text',
    volume_id: 'text',
    path: 'text',
    nfs_version: 'text',
    size_limit_gib: 'integer',
    interface: 'text',
    address_families: 'json',
    addresses: 'json',
    ipv4_clients: 'json',
    ipv6_clients: 'json',
  },
  order: ['name'],
  lookups: ['name', 'interface', 'volume_id', 'enabled'],
  immutable: [],
  defaults: { path: '', nfs_version: '4.1', size_limit_gib: 0, addresses: [], ipv4_clients: [], ipv6_clients: [] },
  schemas: {
    item,
    list: listOf('StorageDatastoreList', item),
    create: component('StorageDatastoreCreate', v.strictObject({ ...members, ...choices }), {
      name: 'lab-nfs-01',
      volume_id: 'volume_h7k2m9p4q6r8s3t5',
      interface: 'ens256.20',
      address_families: ['ipv4'],
      nfs_version: '4.1',
      ipv4_clients: ['198.51.100.0/24'],
    }),
    update: component('StorageDatastoreUpdate', v.partial(v.strictObject({ ...members, ...choices })), {
      ipv4_clients: ['198.51.100.0/24', '203.0.113.7'],
    }),
  },
  title: (datastore) => datastore.name,
  facts: told('volume_id', 'path', 'size_limit_gib', 'interface', 'addresses', 'enabled'),
  async settle(tx, next, before) {
    const datastore = canonicalDatastore(next);
    if (datastore.path !== before?.path || datastore.volume_id !== before.volume_id) await refuseNested(tx, datastore);
    const all = await placed(tx, datastore, before);
    return { ...datastore, addresses: mountAddresses(datastore, standingIn(all, datastore.interface)) };
  },
};

/** @throws Problem 422 naming every faulty member. */
function canonicalDatastore(datastore: StorageDatastore): StorageDatastore {
  const errors: FieldError[] = [];
  const name = datastore.name.trim();
  if (name === '') errors.push({ pointer: '/name', detail: 'A name is missing.' });
  const path = datastore.path.trim().replace(/\/$/, '') || name.replaceAll(/[^A-Za-z0-9._-]/g, '-');
  if (name !== '' && !isPath(path)) {
    const detail = 'Must be relative; its parts are letters, digits, dots, underscores and hyphens.';
    errors.push({ pointer: '/path', detail });
  }
  const address_families = FAMILIES.filter((family) => datastore.address_families.includes(family));
  const ipv4_clients = canonicalClients('ipv4_clients', 4, datastore.ipv4_clients, errors);
  const ipv6_clients = canonicalClients('ipv6_clients', 6, datastore.ipv6_clients, errors);
  if (errors.length > 0) throw invalid(...errors);
  return { ...datastore, name, path, address_families, ipv4_clients, ipv6_clients };
}

function canonicalClients(member: string, family: 4 | 6, texts: readonly string[], errors: FieldError[]): string[] {
  const networks = texts.flatMap((text, at) => {
    if (text.trim().toLowerCase() === ANY_CLIENT) return [ANY_CLIENT];
    const single = parseAddress(text.trim());
    const cidr = parseCidr(single ? `${single.text}/${family === 4 ? 32 : 128}` : text.trim());
    const detail = clientFault(family, cidr);
    if (detail) errors.push({ pointer: `/${member}/${at}`, detail });
    return cidr && !detail ? [cidr.text] : [];
  });
  // With `any` in the list, networks have no effect.
  return networks.includes(ANY_CLIENT) ? [ANY_CLIENT] : [...new Set(networks)];
}

function clientFault(family: 4 | 6, cidr: ReturnType<typeof parseCidr>): string | null {
  if (cidr?.family !== family) return `Must be an IPv${family} network such as ${EXAMPLE[family]}, an address, or any.`;
  return cidr.text === networkOf(cidr) ? null : `Has host bits; the network is ${networkOf(cidr)}.`;
}

const EXAMPLE = { 4: '192.168.10.0/24', 6: 'fd00:10::/64' } as const;

/** The volume, and the other datastores on it, in one statement. */
const ON_VOLUME = `SELECT '' AS id, name, '' AS path FROM storage_volume WHERE id = ?
  UNION ALL SELECT id, name, path FROM storage_datastore WHERE volume_id = ? AND id <> ?`;

/** @throws Problem 422 for a volume that does not exist, 409 for a path inside or around that of another datastore. */
async function refuseNested(tx: Database, { id, volume_id, path }: StorageDatastore): Promise<void> {
  const rows = await tx.all<Pick<StorageDatastore, 'id' | 'name' | 'path'>>(ON_VOLUME, [volume_id, volume_id, id]);
  const others = rows.filter((row) => row.id !== '');
  if (others.length === rows.length) throw invalid({ pointer: '/volume_id', detail: 'This volume does not exist.' });
  const other = others.find((each) => nested(each.path, path));
  if (!other) return;
  const detail = `The datastore ${other.name} is at ${other.path} of the same volume; one must not be inside the other.`;
  throw new Problem('state_conflict', detail, { errors: [{ pointer: '/path', detail }] });
}

/**
 * What interfaces carry, when the chosen one can carry the datastore. An interface that was chosen before is accepted,
 * so that an unrelated edit never fails because a link vanished; switching the datastore on checks it again.
 * @throws Problem 422
 */
async function placed(tx: Database, datastore: StorageDatastore, before: StorageDatastore | null) {
  const rows = await loadInterfaces(tx);
  const all = standings(rows);
  const { enabled, interface: name, address_families } = datastore;
  const settled = before?.interface === name && (before.enabled || !enabled);
  if (!settled) requireInterface(datastore, listenable(rows, all));
  if (enabled && !(settled && String(before.address_families) === String(address_families))) {
    const missing = missingFamilies(datastore, standingIn(all, name));
    const words = missing.map((family) => (family === 'ipv4' ? 'IPv4' : 'IPv6')).join(' and no ');
    if (words) throw invalid({ pointer: '/address_families', detail: `${name} has no ${words} address.` });
  }
  return all;
}

function requireInterface({ enabled, interface: name }: StorageDatastore, choices: readonly Listenable[]): void {
  const found = choices.find((each) => each.name === name);
  const missing = name === '' ? 'Choose an interface.' : 'There is no interface of this name.';
  const detail = found ? enabled && found.obstacle && `${name} ${found.obstacle}.` : missing;
  if (detail) throw invalid({ pointer: '/interface', detail });
}
