// What an inventory offers, as options of lists: in words that tell one from the other, and what can't be taken with why.
import type { Inventory } from '../../shared/vcf/vsphere/inventory.ts';
import { byteWords } from '../components/byte-words.ts';
import type { FieldOption } from '../components/form.tsx';

export type Lists = Record<'pools' | 'hosts' | 'datastores' | 'folders' | 'networks', FieldOption[]>;

export function listsOf(inventory: Inventory): Lists {
  const { datacenters, compute, hosts, pools, datastores, folders, networks } = inventory;
  const names = new Map(datacenters.map(({ id, name }) => [id, name]));
  const computeOf = new Map(compute.map((one) => [one.id, one]));
  const group = (datacenter_id: string | undefined) => names.get(datacenter_id ?? '') ?? 'Elsewhere';
  const clusterOf = (compute_id: string): string => {
    const owner = computeOf.get(compute_id);
    return owner?.cluster ? `${owner.name}: ` : '';
  };
  return {
    pools: pools.map(({ id, path, compute_id }) => {
      const owner = computeOf.get(compute_id);
      const label = path === '/' ? (owner?.name ?? id) : `${owner?.name ?? ''}: ${path.slice(1)}`;
      return { value: id, label, group: group(owner?.datacenter_id) };
    }),
    hosts: hosts.map(({ id, name, version, compute_id, connected, maintenance }) => ({
      value: id,
      label: `${clusterOf(compute_id)}${version === '' ? name : `${name}, ${version}`}`,
      group: group(computeOf.get(compute_id)?.datacenter_id),
      ...(!connected && { unavailable: 'not connected' }),
      ...(connected && maintenance && { unavailable: 'in maintenance' }),
    })),
    datastores: datastores.map(({ id, name, type, free_bytes, accessible, datacenter_id }) => ({
      value: id,
      label: `${name}, ${type || 'datastore'}, ${byteWords(free_bytes)} free`,
      group: group(datacenter_id),
      ...(!accessible && { unavailable: 'not accessible' }),
    })),
    folders: folders
      .filter(({ path }) => path !== '/')
      .map(({ id, path, datacenter_id }) => ({ value: id, label: path.slice(1), group: group(datacenter_id) })),
    networks: networks.map(({ id, name, datacenter_id }) => ({ value: id, label: name, group: group(datacenter_id) })),
  };
}
