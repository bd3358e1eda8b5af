// Who depends on interfaces now, as saved: services that are on, DHCP scopes with the number of their reservations, and
// datastores; and what keeps them from their interfaces. For pages that show who depends on what.

import { contains, overlaps, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { pagePath } from '../../ground/page-paths.ts';
import type { Database } from '../../ground/store/database.ts';
import { GONE, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { missingFamilies } from '../../platform/interfaces/refresh/datastores.ts';
import { scopesInForce } from '../../platform/interfaces/refresh/refresh.ts';
import { scopePage, scopeSubject } from '../../platform/interfaces/refresh/scopes.ts';
import type {
  AddressFamily,
  DatastoreRow,
  ScopeRow,
  ServiceDependents,
  Snapshot,
} from '../../platform/interfaces/refresh/snapshot.ts';
import {
  addressesOn,
  carriesService,
  type Standing,
  standingIn,
  standings,
} from '../../platform/interfaces/refresh/standing.ts';
import { reservedAddresses } from '../../services/dns-dhcp/dhcp/subnet-use.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { loadShared } from '../refresh/load-snapshot.ts';

/** Something that is switched on and bound to interfaces. */
export interface Binding {
  /** `NTP`, `DHCP scope lab`, `Datastore iso`. */
  label: string;
  page: string;
  /** Names, in the order of the settings; of interfaces that may be gone. */
  interfaces: string[];
  /** Where it answers, without prefix length. */
  addresses: string[];
  /** What its interfaces lack to carry it; empty when each of them does. */
  faults: BindingFault[];
  /** Of a scope: enabled reservations inside of it, where they were counted. */
  reservations: number | null;
}

export interface BindingFault {
  /** Empty when none is chosen. */
  interface: string;
  /** `ens224 is disabled` */
  words: string;
}

type Dependents = Pick<Snapshot, 'services' | 'scopes' | 'legacy' | 'datastores'>;

/** One statement; two when reservations are to be counted and there is a scope that can have some. */
export async function loadBindings(
  db: Database,
  interfaces: readonly NetworkInterface[],
  { reservations }: { reservations: boolean },
): Promise<Binding[]> {
  const snapshot = await loadShared(db, SERVICE_DEPENDENTS);
  const counted = reservations && scopesInForce(snapshot).some(({ enabled }) => enabled);
  return bindingsIn(snapshot, interfaces, SERVICE_DEPENDENTS, counted ? await reservedAddresses(db) : null);
}

/** Bindings in the order services, scopes, datastores. `reserved` are addresses of enabled reservations, when known. */
export function bindingsIn(
  snapshot: Dependents,
  interfaces: readonly NetworkInterface[],
  declared: readonly ServiceDependents[],
  reserved: readonly string[] | null,
): Binding[] {
  const network = { all: standings(interfaces), byName: new Map(interfaces.map((row) => [row.name, row])) };
  const places = reserved?.flatMap((text) => parseAddress(text) ?? []) ?? null;
  const countIn = (cidr: string): number | null => {
    const subnet = parseCidr(cidr);
    return places && subnet && places.filter((address) => contains(subnet, address)).length;
  };
  return [
    ...services(snapshot, declared, network),
    ...scopesInForce(snapshot)
      .filter(({ enabled }) => enabled)
      .map((scope) => ({ ...scopeBinding(scope, network), reservations: countIn(scope.subnet_cidr) })),
    ...snapshot.datastores.filter(({ enabled }) => enabled).map((datastore) => datastoreBinding(datastore, network)),
  ];
}

interface Network {
  all: ReadonlyMap<string, Standing>;
  byName: ReadonlyMap<string, NetworkInterface>;
}

function services(snapshot: Dependents, declared: readonly ServiceDependents[], network: Network): Binding[] {
  return snapshot.services.flatMap(({ key, document: { enabled, listen_interfaces: names } }) => {
    const known = declared.find((service) => service.key === key);
    if (!enabled || !known) return [];
    // The certificate authority goes on without a portal: then nothing of it depends on an address.
    if (names.length === 0 && known.lastBinding === 'clear') return [];
    const faults = names.flatMap((name) => faultsFrom(name, faultOf(name, network)));
    return {
      label: known.label,
      page: known.page,
      interfaces: [...names],
      addresses: addressesOn(names, network.all),
      faults: names.length === 0 ? NONE_CHOSEN : faults,
      reservations: null,
    };
  });
}

function scopeBinding(scope: ScopeRow, network: Network): Binding {
  const { interface: name, address_family, subnet_cidr } = scope;
  const own = standingIn(network.all, name).networks[address_family];
  const subnet = parseCidr(subnet_cidr);
  const outside = own && subnet && !overlaps(own, subnet) ? `${subnet_cidr} is not a network of ${name}` : null;
  const lacking = own ? null : `${name} has no static ${FAMILY[address_family]} address`;
  return {
    label: scopeSubject(scope),
    page: scopePage(scope),
    interfaces: [name],
    addresses: own ? [own.address.text] : [],
    faults: faultsFrom(name, faultOf(name, network) ?? lacking ?? outside),
    reservations: null,
  };
}

function datastoreBinding(datastore: DatastoreRow, network: Network): Binding {
  const { id, interface: name, addresses } = datastore;
  const missing = missingFamilies(datastore, standingIn(network.all, name)).map((family) => FAMILY[family]);
  const lacking = missing.length > 0 ? `${name} has no ${missing.join(' and no ')} address` : null;
  return {
    label: `Datastore ${datastore.name}`,
    page: pagePath('datastore', id),
    interfaces: name === '' ? [] : [name],
    addresses,
    faults: name === '' ? NONE_CHOSEN : faultsFrom(name, faultOf(name, network) ?? lacking),
    reservations: null,
  };
}

const FAMILY: Readonly<Record<AddressFamily, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' };

const NONE_CHOSEN: BindingFault[] = [{ interface: '', words: 'no interface chosen' }];
const faultsFrom = (name: string, words: string | null): BindingFault[] =>
  words === null ? [] : [{ interface: name, words }];

/** What keeps an interface from carrying anything; null when it carries services. */
function faultOf(name: string, { all, byName }: Network): string | null {
  const row = byName.get(name);
  if (!row) return `${name} is gone`;
  const parent = row.kind === 'vlan' ? byName.get(row.parent_interface ?? '') : undefined;
  const faults: readonly (readonly [boolean, string])[] = [
    [standingIn(all, name).gone !== null, GONE],
    [!row.enabled, 'is disabled'],
    [row.mode === 'trunk', 'is a trunk'],
    [row.role === 'unused', 'is unused'],
    [parent !== undefined && !parent.enabled, `stands on ${parent?.name}, which is disabled`],
    [parent !== undefined && parent.mode !== 'trunk', `stands on ${parent?.name}, which is no trunk`],
    [!carriesService(standingIn(all, name)), 'has no address'],
  ];
  const [, words] = faults.find(([holds]) => holds) ?? [];
  return words === undefined ? null : `${name} ${words}`;
}
