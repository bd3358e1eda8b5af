// What the dependency map says, before anything is drawn: addresses of interfaces and VLANs, and who uses which. The
// drawing and the list below it are both made from this.

export interface MapAddress {
  /** In force, or the desired one while nothing is in force yet; words in place of one, such as `no address`. */
  cidr: string;
  /** The desired one, when it differs. */
  pending?: string;
  /** Why nothing can be reached at it: "gone". */
  problem?: string;
}
export interface MapVlan {
  name: string;
  vlan_id: number;
  addresses: readonly MapAddress[];
  href?: string;
}
export interface MapInterface {
  name: string;
  addresses: readonly MapAddress[];
  vlans: readonly MapVlan[];
  href?: string;
}
export interface MapService {
  label: string;
  /** Address of its page. */
  page: string;
  /** Addresses that it uses, with or without prefix length. */
  addresses: readonly string[];
  /** Names of interfaces and VLANs that it is bound to; one that gives it no address is still joined to it. */
  interfaces?: readonly string[];
  /** What keeps it from working: "ens224 is disabled". */
  problem?: string;
  /** A fact about it: "24 reservations". */
  detail?: string;
}
export interface NetworkMapData {
  interfaces: readonly MapInterface[];
  services: readonly MapService[];
}

export type Standing = 'solid' | 'pending' | 'bad';

/** An address where it stands: on an interface, or on a VLAN of it. */
export interface Place {
  address: MapAddress;
  /** Name and page of the interface or VLAN. */
  name: string;
  href: string | undefined;
  /** Index of the interface; of the VLAN among all VLANs, null for an address of the interface itself. */
  interfaceAt: number;
  vlanAt: number | null;
}

/** A service with the places that it uses, as indices. */
export interface Use {
  service: MapService;
  at: number[];
  /** How the service and each of its wires are drawn. */
  standing: Standing;
  wires: Standing[];
  note: string | null;
}

export const bare = (cidr: string): string => cidr.replace(/\/\d+$/, '').toLowerCase();

export const standingOf = ({ pending, problem }: MapAddress): Standing =>
  problem !== undefined ? 'bad' : pending !== undefined ? 'pending' : 'solid';

/** Every address in the order of interfaces, each followed by its VLANs. */
export function placesOf(interfaces: readonly MapInterface[]): Place[] {
  let vlans = 0;
  return interfaces.flatMap((own, interfaceAt) => {
    const place = (address: MapAddress, { name, href }: MapInterface | MapVlan, vlanAt: number | null): Place => ({
      address,
      name,
      href,
      interfaceAt,
      vlanAt,
    });
    return [
      ...own.addresses.map((address) => place(address, own, null)),
      ...own.vlans.flatMap((vlan) => {
        const vlanAt = vlans++;
        return vlan.addresses.map((address) => place(address, vlan, vlanAt));
      }),
    ];
  });
}

/** Services in the order of the addresses that they use, so that few wires cross; unused ones come last. */
export function usesOf(services: readonly MapService[], places: readonly Place[]): Use[] {
  const uses = services.map((service) => useOf(service, places));
  const weight = ({ at }: Use): number =>
    at.length === 0 ? Number.POSITIVE_INFINITY : at.reduce((sum, index) => sum + index, 0) / at.length;
  return uses.toSorted((one, other) => weight(one) - weight(other) || 0);
}

function useOf(service: MapService, places: readonly Place[]): Use {
  const used = new Set(service.addresses.map(bare));
  const matched = places.flatMap(({ address: { cidr, pending } }, index) =>
    used.has(bare(cidr)) || (pending !== undefined && used.has(bare(pending))) ? [index] : [],
  );
  // An interface that gives it no address is joined by the first thing that stands there.
  const left = (service.interfaces ?? []).filter((name) => !matched.some((index) => places[index]!.name === name));
  const joined = left.flatMap((name) => {
    const index = places.findIndex((place) => place.name === name);
    return index < 0 || matched.includes(index) ? [] : [index];
  });
  const at = [...matched, ...joined].toSorted((one, other) => one - other);
  const failing = service.problem !== undefined;
  const wires = at.map((index) =>
    failing && joined.includes(index) ? ('bad' as const) : standingOf(places[index]!.address),
  );
  const pending = wires.filter((standing) => standing === 'pending').length;
  const follows = pending > 0 && pending === at.length;
  const standing = failing || wires.includes('bad') ? 'bad' : follows ? 'pending' : 'solid';
  return { service, at, standing, wires, note: noteOf(service, at, places, pending) };
}

function noteOf({ problem, detail }: MapService, at: readonly number[], places: readonly Place[], pending: number) {
  const trouble = problem ?? at.flatMap((index) => places[index]!.address.problem ?? [])[0];
  const many = at.length > 1 ? `${at.length} addresses` : null;
  const some = pending > 0 && pending < at.length ? `${pending} follows` : null;
  const all = pending > 0 && pending === at.length ? 'follows on apply' : null;
  const words = trouble !== undefined ? [trouble] : at.length === 0 ? ['no address'] : [all ?? many, some];
  return [...words, detail].filter(Boolean).join(', ') || null;
}
