// What a vCenter or an ESXi host has to deploy to: one read of everything, as far as the account may see it.
import { setImmediate } from 'node:timers/promises';
import { childrenOf, textOf } from '../../ground/xml/element.ts';
import { type ObjectFacts, refsIn, retrieveAll } from './properties.ts';
import type { AboutVsphere, VsphereSession } from './session.ts';
import { booleanOf, numberOf, type ObjectRef, refOf } from './soap.ts';

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
  /** Empty when the account can't see its folder. */
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

/** Enough to know the folder of each machine. */
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
  const read = { session, tree: treeOf(await retrieveAll(session, PATHS, { signal })), signal };
  const datacenters = read.tree.of('Datacenter');
  const seen: SeenBy = { datastore: new Map(), network: new Map() };
  const hosts = await hostsOf(read, seen); // first: what they see is known of datastores and networks then
  return {
    kind: session.kind,
    about: session.about,
    datacenters: datacenters.map((each) => ({ id: idOf(each), name: nameIn(read, each) })),
    ...(await computeOf(read)),
    hosts,
    datastores: await datastoresOf(read, seen.datastore),
    networks: await networksOf(read, seen.network),
    folders: await foldersOf(read, datacenters),
    machines: await machinesOf(read.tree, (each) => nameIn(read, each), signal),
  };
}

/** One read of an inventory. */
interface Read {
  session: VsphereSession;
  tree: Tree;
  signal: AbortSignal | undefined;
}

/** Datastore or network → the hosts that see it. */
type SeenBy = Record<'datastore' | 'network', Map<string, string[]>>;

const nameIn = ({ session, tree }: Read, each: ObjectFacts): string => session.label(tree.name(each));
const saidIn = ({ session, tree }: Read, each: ObjectFacts, property: string): string =>
  session.label(tree.text(each, property) ?? '');

/** What the host sees, which is noted there. */
function noted(host: ObjectFacts, property: keyof SeenBy, seen: SeenBy): string[] {
  const ids = [...new Set(refsIn(host.properties.get(property)).map(({ id }) => id))];
  for (const id of ids) {
    const known = seen[property].get(id);
    if (known) known.push(idOf(host));
    else seen[property].set(id, [idOf(host)]);
  }
  return ids;
}

function hostsOf(read: Read, seen: SeenBy): Promise<Inventory['hosts']> {
  const { of, text, ref } = read.tree;
  return inTurns(read.signal, of('HostSystem'), (each) => ({
    id: idOf(each),
    name: nameIn(read, each),
    port: portOf(text(each, 'summary.config.port')),
    compute_id: ref(each, 'parent')?.id ?? '',
    connected: text(each, 'runtime.connectionState') === 'connected',
    maintenance: booleanOf(text(each, 'runtime.inMaintenanceMode')) ?? false,
    version: saidIn(read, each, 'summary.config.product.version'),
    thumbprint: saidIn(read, each, 'summary.config.sslThumbprint') || null,
    datastore_ids: noted(each, 'datastore', seen),
    network_ids: noted(each, 'network', seen),
  }));
}

async function computeOf(read: Read): Promise<Pick<Inventory, 'compute' | 'pools'>> {
  const { tree, signal } = read;
  const { of, text, ref, datacenterOf } = tree;
  const compute = [...of('ClusterComputeResource'), ...of('ComputeResource')];
  const roots = new Set(compute.map((each) => ref(each, 'resourcePool')?.id));
  const pathOf = tree.paths(
    (each) => nameIn(read, each),
    (pool) => pool.ref.type === 'ResourcePool' && !roots.has(idOf(pool)),
  );
  return {
    compute: await inTurns(signal, compute, (each) => ({
      id: idOf(each),
      name: nameIn(read, each),
      datacenter_id: datacenterOf(each),
      cluster: each.ref.type === 'ClusterComputeResource',
      drs: booleanOf(text(each, 'configuration.drsConfig.enabled')),
      pool_id: ref(each, 'resourcePool')?.id ?? '',
      host_ids: refsIn(each.properties.get('host')).map(({ id }) => id),
    })),
    pools: await inTurns(signal, of('ResourcePool').filter(tree.shallow), (each) => ({
      id: idOf(each),
      name: nameIn(read, each),
      path: pathOf(each),
      compute_id: ref(each, 'owner')?.id ?? '',
    })),
  };
}

function datastoresOf(read: Read, seen: SeenBy['datastore']): Promise<Inventory['datastores']> {
  const { of, text, datacenterOf } = read.tree;
  return inTurns(read.signal, of('Datastore'), (each) => ({
    id: idOf(each),
    name: nameIn(read, each),
    datacenter_id: datacenterOf(each),
    type: saidIn(read, each, 'summary.type'),
    capacity_bytes: numberOf(text(each, 'summary.capacity')) ?? 0,
    free_bytes: numberOf(text(each, 'summary.freeSpace')) ?? 0,
    accessible:
      (booleanOf(text(each, 'summary.accessible')) ?? false) &&
      (text(each, 'summary.maintenanceMode') ?? 'normal') === 'normal',
    host_ids: seen.get(idOf(each)) ?? [],
  }));
}

function networksOf(read: Read, seen: SeenBy['network']): Promise<Inventory['networks']> {
  const { of, datacenterOf } = read.tree;
  const all = [...of('Network'), ...of('DistributedVirtualPortgroup'), ...of('OpaqueNetwork')];
  return inTurns(read.signal, all.filter(takesMachines), (each) => ({
    id: idOf(each),
    name: nameIn(read, each),
    datacenter_id: datacenterOf(each),
    host_ids: seen.get(idOf(each)) ?? [],
  }));
}

function foldersOf(read: Read, datacenters: readonly ObjectFacts[]): Promise<Inventory['folders']> {
  const { of, ref, shallow, paths, datacenterOf } = read.tree;
  const roots = new Set(datacenters.map((each) => ref(each, 'vmFolder')?.id));
  const pathOf = paths(
    (each) => nameIn(read, each),
    (folder) => !roots.has(idOf(folder)),
  );
  return inTurns(read.signal, of('Folder').filter(ofMachines).filter(shallow), (each) => ({
    id: idOf(each),
    name: nameIn(read, each),
    path: pathOf(each),
    datacenter_id: datacenterOf(each),
  }));
}

/** Uplinks of a switch carry its traffic; no machine is connected to them. */
const takesMachines = ({ properties }: ObjectFacts): boolean =>
  !childrenOf(properties.get('tag'), 'Tag').some((tag) => textOf(tag, 'key') === UPLINKS);

const ofMachines = ({ properties }: ObjectFacts): boolean =>
  (properties.get('childType')?.children ?? []).some((type) => type.text === 'VirtualMachine');

function portOf(text: string | null): number {
  const port = numberOf(text);
  return port !== null && Number.isInteger(port) && port > 0 && port < 65_536 ? port : 443;
}

/** Milliseconds of work after which others get their turn. */
const STRETCH_MS = 25;

async function inTurns<T, R>(signal: AbortSignal | undefined, all: readonly T[], made: (each: T) => R): Promise<R[]> {
  const found: R[] = [];
  let began = performance.now();
  for (const each of all) {
    found.push(made(each));
    if (performance.now() - began < STRETCH_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    began = performance.now();
  }
  return found;
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
  // Unchanged: only requested values are answered.
  const all = await machinesOf(tree, tree.name, signal);
  return all.filter((machine) => folded(machine.name) === wanted);
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

const idOf = ({ ref }: ObjectFacts): string => ref.id;

const POWERS: Readonly<Record<string, Power>> = { poweredOn: 'on', poweredOff: 'off', suspended: 'suspended' };

export const powerOf = (text: string | null | undefined): Power => POWERS[text ?? ''] ?? 'unknown';

const machinesOf = (
  { of, text, datacenterOf }: Tree,
  name: (each: ObjectFacts) => string,
  signal: AbortSignal | undefined,
): Promise<MachineEntry[]> =>
  inTurns(signal, of('VirtualMachine'), (each) => ({
    id: idOf(each),
    name: name(each),
    datacenter_id: datacenterOf(each),
    power: powerOf(text(each, 'runtime.powerState')),
  }));

/** As people write them: vSphere gives `%`, `/` and `\` in names as `%25`, `%2f` and `%5c`. */
export const unescapedName = (name: string): string =>
  name.replace(/%(25|2f|5c)/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

type Tree = ReturnType<typeof treeOf>;

/** Depth of an object (infinite in a circle), and its data center. */
interface Place {
  depth: number;
  datacenter_id: string;
}

const OUTSIDE: Place = { depth: 0, datacenter_id: '' };
/** Deeper objects are left out; real inventories have none. */
const DEEPEST = 64;

const LONGEST_PATH = 1000;
const shortened = (over: string, name: string): string =>
  over.length + name.length < LONGEST_PATH ? `${over}/${name}` : `/…/${name}`;

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
  const places = new Map<ObjectFacts, Place>();
  /** Visits each object once. */
  const placeOf = (each: ObjectFacts): Place => {
    const open = new Set<ObjectFacts>();
    let at: ObjectFacts | undefined = each;
    while (at && !places.has(at) && !open.has(at)) {
      open.add(at);
      at = up(at);
    }
    const circle = at !== undefined && open.has(at);
    let over = circle ? { ...OUTSIDE, depth: Number.POSITIVE_INFINITY } : ((at && places.get(at)) ?? OUTSIDE);
    for (const one of [...open].reverse()) {
      const depth = over.depth + 1;
      const own = one.ref.type === 'Datacenter' ? idOf(one) : over.datacenter_id;
      over = { depth, datacenter_id: depth > DEEPEST ? '' : own };
      places.set(one, over);
    }
    return over;
  };
  return {
    of: (type: string): ObjectFacts[] => by_type.get(type) ?? [],
    ...{ text, name, ref },
    shallow: (each: ObjectFacts): boolean => placeOf(each).depth <= DEEPEST,
    /** Gives the names from the first that counts down to an object that is not too deep. */
    paths: (name: (each: ObjectFacts) => string, counts: (each: ObjectFacts) => boolean) => {
      const known = new Map<ObjectFacts, string>();
      const pathOf = (each: ObjectFacts | undefined): string => {
        if (!each || !counts(each)) return '';
        const path = known.get(each) ?? shortened(pathOf(up(each)), name(each));
        known.set(each, path);
        return path;
      };
      return (each: ObjectFacts): string => pathOf(each) || '/';
    },
    datacenterOf: (each: ObjectFacts): string => placeOf(each).datacenter_id,
  };
}
