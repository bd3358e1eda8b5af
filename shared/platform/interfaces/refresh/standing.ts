// What an interface can carry: whether services may listen on it, at which addresses and in which networks.
import { type Cidr, parseCidr } from '../../../ground/addresses/address.ts';
import { goneWords, MANY_ROWS, type NetworkInterface } from '../interface.ts';
import { usableAddresses } from '../management-listener.ts';
import type { AddressFamily } from './snapshot.ts';

export interface Standing {
  /** Enabled, in access mode and in use; the parent of a VLAN is an enabled trunk. */
  on: boolean;
  /** Addresses at which services answer, IPv4 first. Empty while an address by DHCP is not known yet. */
  addresses: readonly string[];
  /** Networks of static addresses. */
  networks: Readonly<Record<AddressFamily, Cidr | null>>;
  /** Families in which it has an address that services answer at, or asks for one by DHCP. */
  families: ReadonlySet<AddressFamily>;
  /** How a refusal says that its link is not in the machine; null where it is. */
  gone: string | null;
}

const NOTHING: Standing = {
  on: false,
  addresses: [],
  networks: { ipv4: null, ipv6: null },
  families: new Set(),
  gone: null,
};

function isOn(row: NetworkInterface, byName: ReadonlyMap<string, NetworkInterface>): boolean {
  if (!row.enabled || row.mode !== 'access' || row.role === 'unused') return false;
  if (row.kind === 'physical') return true;
  const parent = byName.get(row.parent_interface ?? '');
  return parent?.enabled === true && parent.mode === 'trunk';
}

function standingOf(row: NetworkInterface, byName: ReadonlyMap<string, NetworkInterface>): Standing {
  const gone = goneWords(row, byName.get(row.parent_interface ?? ''));
  if (!isOn(row, byName)) return gone === null ? NOTHING : { ...NOTHING, gone };
  const networks = {
    ipv4: row.ipv4_method === 'dhcp' ? null : parseCidr(row.ipv4_cidr),
    ipv6: row.ipv6_enabled ? parseCidr(row.ipv6_cidr) : null,
  };
  const addresses = usableAddresses(row);
  const families = new Set(addresses.map((address): AddressFamily => (address.includes(':') ? 'ipv6' : 'ipv4')));
  // DHCP is configured, so an address is expected; router advertisements alone may never come.
  if (row.ipv4_method === 'dhcp') families.add('ipv4');
  return { on: true, addresses, networks, families, gone };
}

/** Of many rows, by row and beside which parent it is so: rows are never changed in place. */
const known = new WeakMap<NetworkInterface, { parent: NetworkInterface | undefined; standing: Standing }>();

function knownStanding(row: NetworkInterface, byName: ReadonlyMap<string, NetworkInterface>): Standing {
  const parent = row.parent_interface === null ? undefined : byName.get(row.parent_interface);
  const before = known.get(row);
  if (before && before.parent === parent) return before.standing;
  const standing = standingOf(row, byName);
  known.set(row, { parent, standing });
  return standing;
}

/** What every interface carries, by name. Whether its link is in the machine matters for words alone. */
export function standings(rows: readonly NetworkInterface[]): ReadonlyMap<string, Standing> {
  const byName = new Map<string, NetworkInterface>();
  // Nothing is on a VLAN.
  for (const row of rows) if (row.kind === 'physical') byName.set(row.name, row);
  const all = new Map<string, Standing>();
  const of = rows.length < MANY_ROWS ? standingOf : knownStanding;
  for (const row of rows) all.set(row.name, of(row, byName));
  return all;
}

/** What an interface carries: nothing when it does not exist. */
export const standingIn = (all: ReadonlyMap<string, Standing>, name: string): Standing => all.get(name) ?? NOTHING;

/** Chosen interfaces as places to listen: an address of the network's own DHCP is none. */
export function listeningOn(
  names: readonly string[],
  rows: readonly NetworkInterface[],
): { name: string; usable: boolean; addresses: string[] }[] {
  const all = standings(rows);
  return names.map((name) => {
    const { on, networks } = standingIn(all, name);
    const present = rows.find((row) => row.name === name)?.present === true;
    const addresses = [networks.ipv4, networks.ipv6].flatMap((cidr) => cidr?.address.text ?? []);
    return { name, usable: on && present, addresses };
  });
}

/** Sentences for a refusal that names these interfaces, each with a blank before it; empty where all are there. */
export const goneSentences = (names: readonly string[], all: ReadonlyMap<string, Standing>): string =>
  names
    .map((name) => standingIn(all, name).gone)
    .map((gone, at) => (gone ? ` ${names[at]} ${gone}.` : ''))
    .join('');

/** Whether a service can listen on it: on, and with an address of its own or one that the network gives. */
export function carriesService({ on, families }: Standing): boolean {
  return on && families.size > 0;
}

/** The addresses of the chosen interfaces: always derived, in the order of the choice, none twice. */
export function addressesOn(names: readonly string[], all: ReadonlyMap<string, Standing>): string[] {
  return [...new Set(names.flatMap((name) => standingIn(all, name).addresses))];
}
