// Openings: ports that have to be open, with their clients, from the settings of services, DHCP scopes, datastores and
// interface roles. Rules name interfaces and not the appliance's addresses, so that an address that moves stays
// reachable.
import { parseAddress } from '../../ground/addresses/address.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { exposesManagement, usableAddresses } from '../../platform/interfaces/management-listener.ts';
import { scopesInForce } from '../../platform/interfaces/refresh/refresh.ts';
import { ANY_NETWORK, type Snapshot } from '../../platform/interfaces/refresh/snapshot.ts';
import { standings } from '../../platform/interfaces/refresh/standing.ts';
import type { PortNeed } from '../../platform/units/manifest.ts';
import { EVERYBODY, OWN_NETWORKS } from '../../platform/units/settings-schemas.ts';
import type { Surroundings } from '../../platform/units/unit.ts';
import type { Family } from './networks.ts';
import { networksOf } from './networks.ts';
import { ownNetworks } from './own-networks.ts';
import { MANAGEMENT_UI, NFS_PORTS, openingLabel } from './service-ports.ts';

export interface Opening {
  /** Unique with protocol and family: `dns-dhcp`, `dns-dhcp 2`, `storage ds_1`. */
  key: string;
  /** Name of a datastore. */
  name?: string;
  label: string;
  why: string;
  interfaces: string[];
  protocol: 'tcp' | 'udp';
  ports: number[];
  /** Null: both. */
  family: Family | null;
  /** Networks of one family that may reach it; empty: everybody. */
  sources: string[];
}

export interface Facts {
  snapshot: Snapshot;
  interfaces: readonly NetworkInterface[];
  settings: { management_networks: readonly string[] };
  surroundings: Surroundings;
}

/** A settings document, as saved. */
type Document = Readonly<Record<string, unknown>>;

type Draft = Omit<Opening, 'sources' | 'family'>;

/** Pure. Openings without an interface in use are left out. */
export function openingsOf(facts: Facts): Opening[] {
  const on = new Set([...standings(facts.interfaces)].filter(([, standing]) => standing.on).map(([name]) => name));
  const rows = facts.interfaces.filter(({ name }) => on.has(name));
  return [
    ...management(facts, rows),
    ...publicPages(facts, rows),
    ...addressing(rows),
    ...services(facts),
    ...dhcp(facts),
    ...datastores(facts),
  ].flatMap((opening) => {
    const interfaces = [...new Set(opening.interfaces)].filter((name) => on.has(name));
    return interfaces.length > 0 && opening.ports.length > 0 ? [{ ...opening, interfaces }] : [];
  });
}

const everybody = (draft: Draft, family: Family | null = null): Opening => ({ ...draft, family, sources: [] });

/** One for each family that has networks; null: one for everybody. */
function restricted(draft: Draft, networks: readonly string[] | null): Opening[] {
  if (networks === null) return [everybody(draft)];
  return ([4, 6] as const).flatMap((family) => {
    const sources = networksOf(networks, family);
    return sources.length > 0 ? [{ ...draft, family, sources }] : [];
  });
}

const names = (rows: readonly NetworkInterface[]): string[] => rows.map(({ name }) => name);

function management({ settings, surroundings }: Facts, rows: readonly NetworkInterface[]): Opening[] {
  const draft: Draft = {
    key: MANAGEMENT_UI,
    label: openingLabel(MANAGEMENT_UI),
    why: 'The management UI with the REST API and the web terminal.',
    interfaces: names(rows.filter(exposesManagement)),
    protocol: 'tcp',
    ports: surroundings.management_port > 0 ? [surroundings.management_port] : [],
  };
  const { management_networks: networks } = settings;
  return restricted(draft, networks.length === 0 ? null : networks);
}

/** The public pages answer at the address that the service was started with, or on all interfaces. */
function publicPages({ surroundings: { public_listen } }: Facts, rows: readonly NetworkInterface[]): Opening[] {
  const address = public_listen && parseAddress(public_listen.host);
  if (!address || public_listen.port === 0) return [];
  const everywhere = address.text === '0.0.0.0' || address.text === '::';
  const there = rows.filter(
    (row) => row.role !== 'route' && (everywhere || usableAddresses(row).includes(address.text)),
  );
  const why = 'The public pages, for guests of the network.';
  const draft = { key: 'public-pages', label: openingLabel('public-pages'), why, interfaces: names(there) };
  return [everybody({ ...draft, protocol: 'tcp', ports: [public_listen.port] })];
}

/** DHCP answers for the appliance's own interfaces, which connection tracking does not count as answers. */
function addressing(rows: readonly NetworkInterface[]): Opening[] {
  const dhcp = rows.filter(({ ipv4_method }) => ipv4_method === 'dhcp');
  const automatic = rows.filter(({ ipv6_enabled, ipv6_cidr }) => ipv6_enabled && ipv6_cidr === '');
  const label = openingLabel('own-addresses');
  const why = 'Answers of the server that gives the appliance its own address.';
  const draft = { key: 'own-addresses', label, why, protocol: 'udp' } as const;
  return [
    everybody({ ...draft, interfaces: names(dhcp), ports: [68] }, 4),
    { ...draft, interfaces: names(automatic), ports: [546], family: 6, sources: ['fe80::/10'] },
  ];
}

/** Networks that a port is open to; null: everybody. */
function clientsOf({ clients, unnamed }: PortNeed, document: Document, own: readonly string[]): string[] | null {
  const named = clients === undefined ? [] : ((document[clients] ?? []) as string[]);
  if (unnamed === undefined) return named.length === 0 ? null : named;
  const words = named.length === 0 ? [OWN_NETWORKS] : named;
  if (words.includes(EVERYBODY)) return null;
  return words.flatMap((text) => (text === OWN_NETWORKS ? own : text));
}

/** Port numbers; none where the document has no number. */
function portsOf({ ports }: PortNeed, document: Document): number[] {
  if (typeof ports !== 'string') return [...ports];
  return typeof document[ports] === 'number' ? [document[ports]] : [];
}

function services({ snapshot, surroundings: { listeners, enforced }, interfaces: rows }: Facts): Opening[] {
  const own = ownNetworks(rows, snapshot);
  return listeners
    .filter(({ key }) => enforced.has(key))
    .flatMap(({ key, opens }) => {
      const document: Document | undefined = snapshot.services.find((service) => service.key === key)?.document;
      if (document?.enabled !== true) return [];
      const interfaces = (document.listen_interfaces ?? []) as string[];
      return opens
        .filter(({ when }) => when === undefined || document[when] === true)
        .filter(({ awaits }) => awaits === undefined || enforced.has(awaits))
        .flatMap((need, at) => {
          const { protocol, why } = need;
          const draft = { key: at === 0 ? key : `${key} ${at + 1}`, label: openingLabel(key), why, interfaces };
          return restricted({ ...draft, protocol, ports: portsOf(need, document) }, clientsOf(need, document, own));
        });
    });
}

const SCOPE_FAMILIES = { ipv4: { family: 4, port: 67 }, ipv6: { family: 6, port: 547 } } as const;

function dhcp({ snapshot }: Facts): Opening[] {
  const document: Document | undefined = snapshot.services.find(({ key }) => key === 'dhcp')?.document;
  if (document?.enabled !== true) return [];
  return (['ipv4', 'ipv6'] as const).map((kind) => {
    const { family, port } = SCOPE_FAMILIES[kind];
    const scopes = scopesInForce(snapshot).filter((scope) => scope.enabled && scope.address_family === kind);
    const interfaces = scopes.map((scope) => scope.interface);
    const why = `Clients that ask for an IPv${family} address.`;
    return everybody(
      { key: 'dhcp', label: openingLabel('dhcp'), why, interfaces, protocol: 'udp', ports: [port] },
      family,
    );
  });
}

function datastores({ snapshot, surroundings: { enforced } }: Facts): Opening[] {
  const document: Document | undefined = snapshot.services.find(({ key }) => key === 'storage')?.document;
  if (document?.enabled !== true || !enforced.has('storage')) return [];
  return snapshot.datastores
    .filter(({ enabled }) => enabled)
    .flatMap(({ id, name, interface: on, address_families, clients, nfs_version: version }) => {
      return address_families.flatMap((kind) => {
        const { family } = SCOPE_FAMILIES[kind];
        const all = clients.includes(ANY_NETWORK[kind]);
        const sources = all ? [] : networksOf(clients, family);
        // An empty list of clients admits nobody.
        if (sources.length === 0 && !all) return [];
        return (NFS_PORTS[version] ?? []).map(({ protocol, ports }): Opening => {
          const why = `Hosts that mount the datastore ${name} over NFS ${version}.`;
          const label = openingLabel('storage', name);
          const draft = { key: `storage ${id}`, name, label, why, interfaces: [on], protocol, ports };
          return { ...draft, family, sources };
        });
      });
    });
}
