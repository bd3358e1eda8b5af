// What a guest of the network may know: which services answer at the interface that was called, from what is in force, never
// from what is only saved. A further service adds its reader here.
import type { Services } from '../../kernel/operation/services.ts';
import { factsInForce } from '../../platform/applied/baseline.ts';
import { type UnitState, unitStates } from '../../platform/applied/unit-state.ts';
import * as portalFacts from '../../platform/certificate-authority/portal/facts.ts';
import { portal } from '../../platform/certificate-authority/portal/facts.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { Facts } from '../../platform/units/facts.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';
import * as nameFacts from '../../services/dns-dhcp/facts.ts';
import { dnsDhcp } from '../../services/dns-dhcp/facts.ts';
import * as directoryFacts from '../../services/ldap/facts.ts';
import { ldap } from '../../services/ldap/facts.ts';
import * as bootFacts from '../../services/network-boot/facts.ts';
import { boot } from '../../services/network-boot/facts.ts';
import * as timeFacts from '../../services/ntp/facts.ts';
import { ntp } from '../../services/ntp/facts.ts';
import * as depotFacts from '../../services/offline-depot/facts.ts';
import { depot } from '../../services/offline-depot/facts.ts';
import { type CalledAt, isCalled } from './called-at.ts';
import { baselineInForce } from './in-force.ts';

export const SERVICE_KEYS = [
  'dns',
  'dhcp',
  'ntp',
  'certificates',
  'directory',
  'offline-depot',
  'network-boot',
] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

/** A service that is in force. */
interface InForce {
  service: ServiceKey;
  /** Interface → addresses, each with its port where that is chosen; of the directory URLs. */
  places: ReadonlyMap<string, readonly string[]>;
  /** Name that clients may use; empty: none. */
  hostname: string;
  /** DNS: the search domain; empty: none. */
  domain: string;
  /** NTP: whether it also answers over NTS, by its name. */
  nts: boolean;
  /** Depot: whether it asks for a user name and a password. */
  login: boolean;
}

export interface Offered extends Omit<InForce, 'places'> {
  unit: UnitId;
  /** Where it answers at the interface that was called. */
  at: string[];
}

const PLAIN = { hostname: '', domain: '', nts: false, login: false };

interface Reader extends Pick<AnyUnit, 'facts' | 'fromWords'> {
  unit: UnitId;
  read(facts: Facts, remembered: unknown): InForce[];
}

const READERS: readonly Reader[] = [
  { unit: 'dns-dhcp', ...nameFacts, read: namesAndLeases },
  { unit: 'ntp', ...timeFacts, read: time },
  { unit: 'certificate-authority', ...portalFacts, read: certificates },
  { unit: 'ldap', ...directoryFacts, read: directory },
  { unit: 'private-cloud-services', ...depotFacts, read: software },
  { unit: 'network-boot', ...bootFacts, read: booting },
] as unknown as Reader[];

function namesAndLeases(facts: Facts): InForce[] {
  const leases = [...dnsDhcp.all(facts, 'dhcp_listen')];
  const dhcp = new Map(leases.map(([name, { addresses }]) => [name, addresses]));
  const dns = new Map([
    ...[...dnsDhcp.all(facts, 'listen')].map(([name, { addresses }]) => [name, addresses] as const),
    // DHCP answers names wherever it serves addresses.
    ...leases.filter(([, { names }]) => names).map(([name, { addresses }]) => [name, addresses] as const),
  ]);
  const domain = dnsDhcp.get(facts, 'domain') ?? '';
  return [
    ...(dnsDhcp.get(facts, 'names') ? [{ ...PLAIN, service: 'dns' as const, places: dns, domain }] : []),
    ...(dnsDhcp.get(facts, 'dhcp') ? [{ ...PLAIN, service: 'dhcp' as const, places: dhcp }] : []),
  ];
}

function time(facts: Facts, remembered: unknown): InForce[] {
  if (!ntp.get(facts, 'enabled')) return [];
  const { settings } = (remembered ?? {}) as { settings?: { hostname?: string } };
  const hostname = settings?.hostname ?? '';
  const nts = hostname !== '' && ntp.get(facts, 'nts_certificate') !== undefined;
  const places = new Map([...ntp.all(facts, 'listen')].map(([name, { addresses }]) => [name, addresses]));
  return [{ ...PLAIN, service: 'ntp', places, hostname, nts }];
}

function certificates(facts: Facts): InForce[] {
  if (!portal.get(facts, 'enabled')) return [];
  const places = new Map(portal.all(facts, 'listen'));
  return [{ ...PLAIN, service: 'certificates', places, hostname: portal.get(facts, 'hostname') ?? '' }];
}

function directory(facts: Facts): InForce[] {
  if (!ldap.get(facts, 'enabled')) return [];
  const places = new Map(ldap.all(facts, 'listen'));
  return [{ ...PLAIN, service: 'directory', places, hostname: ldap.get(facts, 'hostname') ?? '' }];
}

function software(facts: Facts): InForce[] {
  if (!depot.get(facts, 'enabled')) return [];
  const access = depot.get(facts, 'access');
  const login = access === undefined || !('everybody' in access);
  const places = new Map(depot.all(facts, 'listen'));
  return [{ ...PLAIN, service: 'offline-depot', places, hostname: depot.get(facts, 'hostname') ?? '', login }];
}

function booting(facts: Facts): InForce[] {
  if (!boot.get(facts, 'enabled')) return [];
  return [{ ...PLAIN, service: 'network-boot', places: new Map(boot.all(facts, 'listen')) }];
}

/** Unit → what its baseline says, by the digest that names it: it may hold a hundred thousand facts, and never changes. */
const known = new Map<UnitId, { digest: string; offers: InForce[] }>();

async function inForce(services: Services, reader: Reader, digest: string): Promise<InForce[]> {
  const kept = known.get(reader.unit);
  if (kept?.digest === digest) return kept.offers;
  const baseline = await baselineInForce(services, digest);
  const offers = baseline ? reader.read(factsInForce(reader, baseline), baseline.remembered) : [];
  known.set(reader.unit, { digest, offers });
  return offers;
}

/** Nothing while nothing is in force: never applied, switched off, or only rehearsed. */
export async function offeredAt(services: Services, called: CalledAt): Promise<Offered[]> {
  if (!services.host.enforces || called === 'nowhere') return [];
  const states = await unitStates(services.store);
  const all = await Promise.all(READERS.map((reader) => ofUnit(services, reader, states.get(reader.unit), called)));
  return all.flat().sort((one, other) => SERVICE_KEYS.indexOf(one.service) - SERVICE_KEYS.indexOf(other.service));
}

async function ofUnit(services: Services, reader: Reader, state: UnitState | undefined, called: CalledAt) {
  if (!state?.entries_digest) return [];
  const offers = await inForce(services, reader, state.entries_digest);
  return offers.flatMap(({ places, ...offer }): Offered[] => {
    const here = [...places].filter(([name]) => isCalled(called, name));
    if (here.length === 0) return [];
    return [{ ...offer, unit: reader.unit, at: [...new Set(here.flatMap(([, addresses]) => addresses))] }];
  });
}

export interface PublicDns {
  addresses: string[];
  /** Empty when there is none. */
  search_domain: string;
}

/** Null while the facts have no name service. */
export function dnsOf(inForce: Facts): PublicDns | null {
  const dns = namesAndLeases(inForce).find(({ service }) => service === 'dns');
  if (!dns) return null;
  return { addresses: [...dns.places.values()].flat(), search_domain: dns.domain };
}
