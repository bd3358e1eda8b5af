// Checks of the place in the inventory: is the name free, is there room, and does one host see all of it. Pure.
import type { OvaPackage } from '../../../ground/ova/types.ts';
import type { Inventory } from '../../vsphere/inventory.ts';
import { type Check, gib, ok, refused, warning } from '../check.ts';
import { type DeploymentRequest, sameName } from '../request.ts';

const NAME = ['name', 'Name of the virtual machine'] as const;
const SPACE = ['space', 'Free space'] as const;
const HOST = ['host', 'Host'] as const;

/** Bytes to leave free beside the disks. */
const RESERVE_BYTES = 512 * 2 ** 20;

type Asked = Pick<DeploymentRequest, 'name' | 'placement' | 'disk_provisioning'>;
type Host = Inventory['hosts'][number];

export function checkName({ name, placement }: Asked, { machines }: Inventory): Check {
  const taken = machines.find((one) => one.datacenter_id === placement.datacenter_id && sameName(one.name, name));
  if (!taken) return ok(NAME, `The data center has no machine named ${name}.`);
  return refused(NAME, `The data center has a machine named ${taken.name}.`, 'Choose another name.');
}

/** Bytes that the disks take at first (thin) or at once (thick). */
export function neededBytes({ descriptor, members }: OvaPackage, provisioning: 'thin' | 'thick'): number {
  const sizes = new Map(descriptor.files.map((file) => [file.id, file.href]));
  return descriptor.disks.reduce((sum, { capacity_bytes, populated_bytes, file_ref }) => {
    if (provisioning === 'thick') return sum + (capacity_bytes ?? 0);
    const href = file_ref === null ? undefined : sizes.get(file_ref);
    // The unpacked size of a stream-optimised disk is not known; it is at least the packed size.
    const packed = members.filter((one) => href !== undefined && one.name.startsWith(href));
    return sum + (populated_bytes ?? packed.reduce((all, { size }) => all + size, 0));
  }, 0);
}

export function checkSpace({ placement, disk_provisioning }: Asked, inventory: Inventory, pkg: OvaPackage): Check {
  const datastore = inventory.datastores.find(({ id }) => id === placement.datastore_id);
  if (!datastore) return refused(SPACE, 'The datastore is not there any more.', 'Choose another one.');
  if (!datastore.accessible) {
    return refused(SPACE, `${datastore.name} is not accessible now.`, 'Choose another datastore, or mend this one.');
  }
  const least = neededBytes(pkg, disk_provisioning);
  const [needed, whole] = [least + RESERVE_BYTES, neededBytes(pkg, 'thick') + RESERVE_BYTES];
  const said = `${datastore.name} has ${gib(datastore.free_bytes)} free; ${gib(needed)} are needed`;
  if (datastore.free_bytes < needed) {
    return refused(SPACE, `${said}, with 512 MiB of reserve.`, 'Choose another datastore, or make room.');
  }
  if (datastore.free_bytes >= whole) return ok(SPACE, `${said}.`);
  return warning(SPACE, `${said} at first, up to ${gib(whole)} later.`, 'Watch the datastore: its disks grow.');
}

/** Hosts on which the machine may run: those with access to everything that was chosen. */
export function hostsFor({ placement }: Asked, inventory: Inventory): { all: Host[]; seeing: Host[] } {
  const pool = inventory.pools.find(({ id }) => id === placement.pool_id);
  const compute = inventory.compute.find(({ id, pool_id }) => id === pool?.compute_id || pool_id === placement.pool_id);
  const all = inventory.hosts.filter(({ id }) =>
    placement.host_id ? id === placement.host_id : (compute?.host_ids.includes(id) ?? false),
  );
  const networks = Object.values(placement.networks);
  const seeing = all.filter(
    (host) =>
      host.datastore_ids.includes(placement.datastore_id) && networks.every((id) => host.network_ids.includes(id)),
  );
  return { all, seeing };
}

export const usable = ({ connected, maintenance }: Host): boolean => connected && !maintenance;

export function checkHost(asked: Asked, inventory: Inventory): Check {
  const { all, seeing } = hostsFor(asked, inventory);
  const [first] = all;
  if (!first) return refused(HOST, 'The resource pool has no host.', 'Choose another pool, or another host.');
  if (asked.placement.host_id && !inPool(asked, inventory)) {
    return refused(HOST, `${first.name} does not belong to the chosen pool.`, 'Choose a host of the pool.');
  }
  if (seeing.length === 0) {
    const who = all.length === 1 ? `${first.name} does` : 'No host of the pool does';
    const not = all.length === 1 ? ' not' : '';
    return refused(
      HOST,
      `${who}${not} see the chosen datastore and all chosen networks.`,
      'Choose ones that the same host sees.',
    );
  }
  const able = seeing.filter(usable);
  if (able.length === 0) {
    const why = seeing.map((host) => `${host.name} is ${host.connected ? 'in maintenance mode' : 'not connected'}`);
    return refused(HOST, `${why.join('; ')}.`, 'Choose another host, or bring it back.');
  }
  const names = able.map(({ name }) => name).join(', ');
  if (able.length === all.length) return ok(HOST, `${names}: connected, with the datastore and the networks.`);
  const rest = all.filter((host) => !able.includes(host)).map(({ name }) => name);
  return warning(
    HOST,
    `Only ${names} can take it; ${rest.join(', ')} can not.`,
    'Choose the host, unless the cluster places machines by itself.',
  );
}

function inPool({ placement }: Asked, { pools, compute }: Inventory): boolean {
  const pool = pools.find(({ id }) => id === placement.pool_id);
  return compute.some(
    ({ id, pool_id, host_ids }) =>
      (id === pool?.compute_id || pool_id === placement.pool_id) && host_ids.includes(placement.host_id!),
  );
}
