// The list of VLANs: its words, what a search looks into, and its orders. A host has few of them, so they are sorted in memory.
import { DELETE, type ListWords } from '../../ground/list-words.ts';
import { natural } from '../../ground/store/sorted-page.ts';
import type { NetworkInterface } from './interface.ts';

export const VLANS_LIST: ListWords = { component: 'Vlans', noun: 'VLAN', nouns: 'VLANs', verbs: [DELETE] };
/** Nothing is done with chosen ones. */
export const INTERFACES_LIST: ListWords = {
  component: 'Interfaces',
  noun: 'interface',
  nouns: 'interfaces',
  verbs: [],
};

/** A VLAN of the desired state, or one that is only in force any more. */
export interface VlanLine {
  name: string;
  saved: NetworkInterface | null;
}

const numberOf = ({ name, saved }: VlanLine): number => saved?.vlan_id ?? Number(name.split('.').at(-1));

export const VLAN_SORTS: Readonly<Record<string, (line: VlanLine) => string | number>> = {
  name: ({ name }) => natural(name),
  parent: ({ name, saved }) => natural(saved?.parent_interface ?? name.replace(/\.\d+$/, '')),
  number: numberOf,
  role: ({ saved }) => saved?.role ?? '',
  address: ({ saved }) => natural(saved?.ipv4_cidr || saved?.ipv6_cidr || ''),
};

/** What people know an interface by: its name and addresses, saved and observed, and what stands on it. */
export function interfaceWords(saved: NetworkInterface | null, services: readonly string[]): string[] {
  if (saved === null) return [...services];
  const { name, mac_address, ipv4_cidr, ipv6_cidr, observed } = saved;
  const { ipv4_cidrs = [], ipv6_cidrs = [] } = observed ?? {};
  return [name, mac_address, ipv4_cidr, ipv6_cidr, ...ipv4_cidrs, ...ipv6_cidrs, ...services];
}

export const isNamed = (words: readonly string[], part: string): boolean => {
  const sought = part.trim().toLowerCase();
  return sought === '' || words.some((word) => word.toLowerCase().includes(sought));
};
