// The place of a machine: choices from lists of the inventory, checked against each other. Pure.

import type { OvfDescriptor } from '../../ground/ova/types.ts';
import { type FieldError, invalid } from '../../ground/problems.ts';
import type { Inventory } from '../vsphere/inventory.ts';
import { hostsFor, usable } from './checks/placement.ts';
import { type Placement, sameName } from './request.ts';
import { networkField } from './wizard-task.ts';

/** As the form sends it: ids, empty for what the target is to choose. */
export interface TypedPlace {
  pool_id: string;
  host_id: string;
  datastore_id: string;
  folder_id: string;
  /** In the order of the OVF. */
  networks: readonly string[];
}

/** @throws Problem 422 with every fault at its field */
export function placeOf(
  inventory: Inventory,
  { networks: asked }: OvfDescriptor,
  name: string,
  typed: TypedPlace,
): Placement {
  const errors: FieldError[] = [];
  const wrong = (field: string, detail: string) => void errors.push({ pointer: `/${field}`, detail });
  const pool = inventory.pools.find(({ id }) => id === typed.pool_id);
  const compute = inventory.compute.find(({ id }) => id === pool?.compute_id);
  if (!pool || !compute) throw invalid({ pointer: '/pool_id', detail: 'Choose where the machine runs.' });
  const { datacenter_id } = compute;
  const host = inventory.hosts.find(({ id }) => id === typed.host_id);
  if (typed.host_id !== '' && host?.compute_id !== compute.id) {
    wrong('host_id', `This host does not belong to ${compute.name}.`);
  } else if (typed.host_id === '' && compute.cluster && compute.drs === false) {
    wrong('host_id', `${compute.name} does not place machines itself (its DRS is off): choose one of its hosts.`);
  } else if (host && !usable(host)) {
    wrong('host_id', host.connected ? 'It is in maintenance mode.' : 'It is not connected.');
  }
  const datastore = inventory.datastores.find(({ id }) => id === typed.datastore_id);
  if (!datastore) wrong('datastore_id', 'Choose the datastore of its disks.');
  else if (!datastore.accessible) wrong('datastore_id', 'It is not accessible now.');
  else if (datastore.datacenter_id !== datacenter_id) wrong('datastore_id', 'It belongs to another data center.');
  const folder = inventory.folders.find(({ id }) => id === typed.folder_id);
  if (typed.folder_id !== '' && folder?.datacenter_id !== datacenter_id) {
    wrong('folder_id', 'It belongs to another data center.');
  }
  for (const [position] of asked.entries()) {
    const network = inventory.networks.find(({ id }) => id === typed.networks[position]);
    if (!network) wrong(networkField(position), 'Choose the network that it gets.');
    else if (network.datacenter_id !== datacenter_id)
      wrong(networkField(position), 'It belongs to another data center.');
  }
  const taken = inventory.machines.find((one) => one.datacenter_id === datacenter_id && sameName(one.name, name));
  if (taken) wrong('pool_id', `Its data center has a machine named ${taken.name} already: choose another name.`);
  if (errors.length > 0) throw invalid(...errors);
  const place: Placement = {
    datacenter_id,
    pool_id: pool.id,
    host_id: typed.host_id || null,
    datastore_id: typed.datastore_id,
    folder_id: typed.folder_id || null,
    networks: Object.fromEntries(asked.map(({ name: network }, position) => [network, typed.networks[position]!])),
  };
  // One host has to see all of it, and be able to take it.
  const { all, seeing } = hostsFor({ name, placement: place, disk_provisioning: 'thin' }, inventory);
  if (all.length > 0 && seeing.length === 0) {
    const who = host ? `${host.name} does not see` : `No host of ${compute.name} sees`;
    throw invalid({ pointer: '/datastore_id', detail: `${who} this datastore and all these networks.` });
  }
  return place;
}

/** In words: `datastore1 at esx01.lab.example`. */
export function placeWords(inventory: Inventory, place: Placement): string {
  const named = (list: readonly { id: string; name: string }[], id: string | null) =>
    list.find((one) => one.id === id)?.name;
  const pool = inventory.pools.find(({ id }) => id === place.pool_id);
  const compute = named(inventory.compute, pool?.compute_id ?? null);
  const where = named(inventory.hosts, place.host_id) ?? compute ?? 'the target';
  return `${named(inventory.datastores, place.datastore_id) ?? place.datastore_id} at ${where}`;
}
