// What a vCenter or an ESXi host has to deploy to: one read of everything, as far as the account may see it.
import { type ObjectFacts, refsIn, retrieveAll } from './properties.ts';
import type { AboutVsphere, VsphereSession } from './session.ts';
import { booleanOf, numberOf, type ObjectRef, refOf } from './soap.ts';
import { childrenOf, textOf } from './xml.ts';

export interface Inventory {
  kind: VsphereSession['kind'];
  about: AboutVsphere;
  datacenters: { id: string; name: string }[];
  /** Clusters and single hosts. `drs`: whether it places machines itself; null when it doesn't say. */
  compute: {
    id: string;
    name: string;
    datacenter_id: string;
    cluster: boolean;
    drs: boolean | null;
    pool_id: string;
    host_ids: string[];
  }[];
  hosts: {
    id: string;
    name: string;
    port: number;
    compute_id: string;
    connected: boolean;
    maintenance: boolean;
    version: string;
    /** Of its certificate, as its management server knows it: SHA-1 or SHA-256 with colons. */
    thumbprint: string | null;
    datastore_ids: string[];
    network_ids: string[];
  }[];
  /** `path`: names below the compute resource, `/` for its root pool. */
  pools: { id: string; name: string; path: string; compute_id: string }[];
  datastores: {
    id: string;
    name: string;
    datacenter_id: string;
    type: string;
    capacity_bytes: number;
    free_bytes: number;
    /** False also in maintenance mode. */
    accessible: boolean;
    host_ids: string[];
  }[];
  networks: { id: string; name: string; datacenter_id: string; host_ids: string[] }[];
  /** Folders for virtual machines; `path`: names below the data center's own, `/` for that. */
  folders: { id: string; name: string; path: string; datacenter_id: string }[];
  machines: MachineEntry[];
}

export interface MachineEntry {
  id: string;
  name: string;
  /** Empty when the account does not see where it lies. */
  datacenter_id: string;
  power: Power;
}

export type Power = 'on' | 'off' | 'suspended' | 'unknown';

/** Tag of a switch's own port groups. */
const UPLINKS = 'SYSTEM/DVS.UPLINKPG';
const NETWORK = ['name', 'parent', 'summary.accessible'];
const PATHS = {
  Datacenter: ['name', 'parent', 'vmFolder'],
  Folder: ['name', 'parent', 'childType'],
  ComputeResource: ['name', 'parent', 'host', 'resourcePool'],
  ClusterComputeResource: ['name', 'parent', 'host', 'resourcePool', 'configuration.drsConfig.enabled'],
  HostSystem: [
    ...['name', 'parent', 'runtime.connectionState', 'runtime.inMaintenanceMode', 'datastore', 'network'],
    ...['summary.config.port', 'summary.config.sslThumbprint', 'summary.config.product.version'],
  ],
  ResourcePool: ['name', 'parent', 'owner'],
  VirtualApp: ['name', 'parent', 'parentFolder'],
  Datastore: [
    ...['name', 'parent', 'summary.type', 'summary.capacity', 'summary.freeSpace', 'summary.accessible'],
    'summary.maintenanceMode',
  ],
  Network: NETWORK,
  DistributedVirtualPortgroup: [...NETWORK, 'tag'],
  OpaqueNetwork: NETWORK,
  VirtualMachine: ['name', 'parent', 'parentVApp', 'runtime.powerState'],
} as const;

/** Enough to tell where each machine lies. */
const MACHINE_PATHS = {
  Datacenter: ['name', 'parent'],
  Folder: ['parent'],
  VirtualApp: ['parent', 'parentFolder'],
  VirtualMachine: PATHS.VirtualMachine,
} as const;

/** @throws VsphereFault, Problem of the connection; the signal's reason */
export async function readInventory(
  session: VsphereSession,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Inventory> {
  const tree = treeOf(await retrieveAll(session, PATHS, { signal }));
  const { of, name, text, ref, path, datacenterOf } = tree;
  const datacenters = of('Datacenter');
  const root_folders = new Set(datacenters.map((each) => ref(each, 'vmFolder')?.id));
  const compute = [...of('ClusterComputeResource'), ...of('ComputeResource')];
  const root_pools = new Set(compute.map((each) => ref(each, 'resourcePool')?.id));
  const hosts = of('HostSystem');
  const hostsWith = (property: string, id: string): string[] =>
    hosts.filter((host) => refsIn(host.properties.get(property)).some((each) => each.id === id)).map(idOf);
  return {
    kind: session.kind,
    about: session.about,
    datacenters: datacenters.map((each) => ({ id: idOf(each), name: name(each) })),
    compute: compute.map((each) => ({
      id: idOf(each),
      name: name(each),
      datacenter_id: datacenterOf(each),
      cluster: each.ref.type === 'ClusterComputeResource',
      drs: booleanOf(text(each, 'configuration.drsConfig.enabled')),
      pool_id: ref(each, 'resourcePool')?.id ?? '',
      host_ids: refsIn(each.properties.get('host')).map(({ id }) => id),
    })),
    hosts: hosts.map((each) => ({
      id: idOf(each),
      name: name(each),
      port: numberOf(text(each, 'summary.config.port')) ?? 443,
      compute_id: ref(each, 'parent')?.id ?? '',
      connected: text(each, 'runtime.connectionState') === 'connected',
      maintenance: booleanOf(text(each, 'runtime.inMaintenanceMode')) ?? false,
      version: text(each, 'summary.config.product.version') ?? '',
      thumbprint: text(each, 'summary.config.sslThumbprint') || null,
      datastore_ids: refsIn(each.properties.get('datastore')).map(({ id }) => id),
      network_ids: refsIn(each.properties.get('network')).map(({ id }) => id),
    })),
    pools: of('ResourcePool').map((each) => ({
      id: idOf(each),
      name: name(each),
      path: path(each, (pool) => pool.ref.type === 'ResourcePool' && !root_pools.has(idOf(pool))),
      compute_id: ref(each, 'owner')?.id ?? '',
    })),
    datastores: of('Datastore').map((each) => ({
      id: idOf(each),
      name: name(each),
      datacenter_id: datacenterOf(each),
      type: text(each, 'summary.type') ?? '',
      capacity_bytes: numberOf(text(each, 'summary.capacity')) ?? 0,
      free_bytes: numberOf(text(each, 'summary.freeSpace')) ?? 0,
      accessible:
        (booleanOf(text(each, 'summary.accessible')) ?? false) &&
        (text(each, 'summary.maintenanceMode') ?? 'normal') === 'normal',
      host_ids: hostsWith('datastore', idOf(each)),
    })),
    networks: [...of('Network'), ...of('DistributedVirtualPortgroup'), ...of('OpaqueNetwork')]
      // Uplinks of a switch carry its traffic; no machine is connected to them.
      .filter((each) => !childrenOf(each.properties.get('tag'), 'Tag').some((tag) => textOf(tag, 'key') === UPLINKS))
      .map((each) => ({
        id: idOf(each),
        name: name(each),
        datacenter_id: datacenterOf(each),
        host_ids: hostsWith('network', idOf(each)),
      })),
    folders: of('Folder')
      .filter((each) =>
        (each.properties.get('childType')?.children ?? []).some((type) => type.text === 'VirtualMachine'),
      )
      .map((each) => ({
        id: idOf(each),
        name: name(each),
        path: path(each, (folder) => !root_folders.has(idOf(folder))),
        datacenter_id: datacenterOf(each),
      })),
    machines: machinesOf(tree),
  };
}

/** The machines of that name, whatever its case, in every data center. */
export async function machinesNamed(
  session: VsphereSession,
  name: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<MachineEntry[]> {
  const what = 'look for machines of this name';
  const tree = treeOf(await retrieveAll(session, MACHINE_PATHS, { signal, what }));
  const wanted = folded(name);
  return machinesOf(tree).filter((machine) => folded(machine.name) === wanted);
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

const idOf = ({ ref }: ObjectFacts): string => ref.id;

const POWERS: Readonly<Record<string, Power>> = { poweredOn: 'on', poweredOff: 'off', suspended: 'suspended' };

export const powerOf = (text: string | null | undefined): Power => POWERS[text ?? ''] ?? 'unknown';

const machinesOf = ({ of, name, text, datacenterOf }: Tree): MachineEntry[] =>
  of('VirtualMachine').map((each) => ({
    id: idOf(each),
    name: name(each),
    datacenter_id: datacenterOf(each),
    power: powerOf(text(each, 'runtime.powerState')),
  }));

/** As people write them: vSphere gives `%`, `/` and `\` in names as `%25`, `%2f` and `%5c`. */
export const unescapedName = (name: string): string =>
  name.replace(/%(25|2f|5c)/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

type Tree = ReturnType<typeof treeOf>;

function treeOf(objects: readonly ObjectFacts[]) {
  const by_ref = new Map(objects.map((each) => [`${each.ref.type}:${each.ref.id}`, each]));
  const by_type = Map.groupBy(objects, ({ ref }) => ref.type);
  const text = (each: ObjectFacts, property: string): string | null =>
    each.properties.get(property)?.text.trim() ?? null;
  const name = (each: ObjectFacts): string => unescapedName(each.properties.get('name')?.text ?? '');
  const ref = (each: ObjectFacts, property: string): ObjectRef | null => refOf(each.properties.get(property));
  /** Machines and pools of a vApp have it instead of a folder. */
  const up = (each: ObjectFacts): ObjectFacts | undefined => {
    const over = ['parent', 'parentVApp', 'parentFolder'].flatMap((property) => ref(each, property) ?? [])[0];
    return over && by_ref.get(`${over.type}:${over.id}`);
  };
  const over = function* (each: ObjectFacts): Generator<ObjectFacts> {
    const seen = new Set<ObjectFacts>();
    for (let at: ObjectFacts | undefined = each; at && !seen.has(at); at = up(at)) {
      seen.add(at);
      yield at;
    }
  };
  return {
    of: (type: string): ObjectFacts[] => by_type.get(type) ?? [],
    ...{ text, name, ref, up },
    /** Names from the first that counts down to it. */
    path: (each: ObjectFacts, counts: (each: ObjectFacts) => boolean): string => {
      const names: string[] = [];
      for (const at of over(each)) {
        if (!counts(at)) break;
        names.unshift(name(at));
      }
      return `/${names.join('/')}`;
    },
    datacenterOf: (each: ObjectFacts): string => {
      for (const at of over(each)) if (at.ref.type === 'Datacenter') return idOf(at);
      return '';
    },
  };
}
