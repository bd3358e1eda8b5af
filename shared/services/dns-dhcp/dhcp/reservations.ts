// DHCP reservations: the address that one machine always gets.

import * as v from 'valibot';
import { contains, isUnicast, isUsableHost, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../../ground/addresses/domain-name.ts';
import { isUnicastMac, parseMac } from '../../../ground/addresses/mac-address.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { type ErrorCode, type FieldError, invalid, Problem } from '../../../ground/problems.ts';
import { component, described, idSchema, listOf, macAnswer, text } from '../../../ground/schemas/component.ts';
import { familyOf } from '../../../platform/interfaces/refresh/change.ts';
import { type AddressFamily, OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Collection, type Kept, told } from '../../../platform/units/collection.ts';
import { changedMembers } from '../../../platform/units/collection-store.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../../platform/units/kept-members.ts';
import { ownerSchema } from '../owner-schema.ts';
import { familySchema } from './members.ts';
import { followReservationRecord, type RegisteredName, registeredName } from './reservation-record.ts';
import { readSurroundings, type Surroundings, servedSubnets } from './surroundings.ts';

export interface ReservationOwner {
  source: string;
  ref: string;
  component: string | null;
}

export interface DhcpReservation extends Kept {
  hostname: string;
  mac_address: string;
  /** Derived from the address. */
  address_family: AddressFamily;
  ip_address: string;
  register_dns: boolean;
  /** The part of the appliance that owns it. */
  owner: ReservationOwner | null;
}

const hostname = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description('Label or full name; stored in lower case without trailing dot.'),
);
const macAddress = v.pipe(
  v.string(),
  v.maxLength(32, 'At most 32 characters.'),
  v.description('Stored in lower case with colons; hyphens, dots and bare digits are accepted. One per family.'),
);
const ipAddress = v.pipe(
  v.string(),
  v.maxLength(64, 'At most 64 characters.'),
  v.description(
    'Stored in canonical form. Unique. When the reservation is applied as gone, or as another machine’s, the lease of this address is ended: over DHCP itself, and by a restart of dnsmasq only where it does not accept that. A client notices when it next asks.',
  ),
);
const choices = {
  register_dns: v.optional(
    described(v.boolean(), 'Default false. True: while the reservation is enabled, it owns an address record.'),
  ),
  enabled: v.optional(enabledMember('saved, but the address is not given out.')),
  description: v.optional(descriptionMember),
};

const item = component(
  'DhcpReservation',
  v.object({
    id: idSchema,
    hostname: text('Label or full name, in lower case.'),
    mac_address: macAnswer,
    ip_address: text('Address that is reserved.'),
    address_family: described(familySchema, 'Derived from the address.'),
    register_dns: described(v.boolean(), 'Whether it owns an address record while it is enabled.'),
    owner: described(
      v.nullable(ownerSchema(v.string())),
      'The part of the appliance that owns the reservation; null for an operator’s own.',
    ),
    ...KEPT_MEMBERS,
  }),
);

/** Rules of every reservation, whoever owns it; reservation-keeping.ts saves through these. */
export const keptReservations: Collection<DhcpReservation> = {
  table: 'dhcp_reservation',
  prefix: 'resv',
  noun: 'DHCP reservation',
  tag: 'DHCP',
  resource: 'dhcp',
  path: '/api/v1/dhcp/reservations',
  param: 'reservation_id',
  pages: { all: 'dhcp-reservations', one: 'dhcp-reservation', home: 'dhcp-reservations' },
  listed: { component: 'DhcpReservations', noun: 'reservation', nouns: 'reservations' },
  imports: { key: ['ip_address'] },
  action: 'dhcp.reservation',
  columns: {
    hostname: 'text',
    mac_address: 'text',
    ip_address: 'text',
    address_family: 'text',
    register_dns: 'boolean',
    owner: 'owner',
  },
  order: ['hostname'],
  lookups: ['hostname', 'mac_address', 'ip_address'],
  spelling: {
    hostname: canonicalName,
    mac_address: (text) => parseMac(text) ?? text,
    ip_address: (text) => parseAddress(text.trim())?.text ?? text,
  },
  immutable: [],
  defaults: { register_dns: false, owner: null },
  schemas: {
    item,
    list: listOf('DhcpReservationList', item),
    create: component(
      'DhcpReservationCreate',
      v.strictObject({ hostname, mac_address: macAddress, ip_address: ipAddress, ...choices }),
      {
        hostname: 'esx01.lab.test',
        mac_address: '00:50:56:01:02:03',
        ip_address: '192.0.2.21',
        register_dns: true,
        description: 'Rack 2, unit 11',
      },
    ),
    update: component(
      'DhcpReservationUpdate',
      v.strictObject({
        hostname: v.optional(hostname),
        mac_address: v.optional(macAddress),
        ip_address: v.optional(ipAddress),
        ...choices,
      }),
      { ip_address: '192.0.2.22' },
    ),
  },
  title: (reservation) => reservation.hostname,
  facts: told('mac_address', 'ip_address', 'register_dns', 'enabled'),
  async settle(tx, next, before) {
    const reservation = canonicalReservation(next);
    const placed = before?.enabled === true && before.ip_address === reservation.ip_address;
    if (reservation.enabled && !placed) requirePlace(reservation, await readSurroundings(tx));
    return reservation;
  },
  async saved(tx, after, before, shell) {
    const recorded = (of: DhcpReservation | null): boolean => of?.register_dns === true && of.enabled;
    if (!recorded(after) && !recorded(before)) return;
    const same = before && recorded(before) === recorded(after) && after.ip_address === before.ip_address;
    if (same && after.hostname === before.hostname) return;
    const wanted = recorded(after) ? wantedName(after, await readSurroundings(tx)) : null;
    await followReservationRecord(tx, shell, after, wanted);
  },
  async deleted(tx, reservation, shell) {
    if (reservation.register_dns) await followReservationRecord(tx, shell, reservation, null);
  },
};

/** Reservations as operators edit them: where another part of the appliance owns one, only the description. */
export const dhcpReservations: Collection<DhcpReservation> = {
  ...keptReservations,
  async settle(tx, next, before, shell) {
    if (before?.owner) {
      const edited = changedMembers(keptReservations, before, canonicalReservation(next));
      if (edited.some((member) => member !== 'description')) throw keptElsewhere(before, 'edited');
    }
    return keptReservations.settle(tx, next, before, shell);
  },
  async deletable(_tx, reservation) {
    if (reservation.owner) throw keptElsewhere(reservation, 'deleted');
  },
};

/** @throws Problem 422 naming every faulty member. */
function canonicalReservation(reservation: DhcpReservation): DhcpReservation {
  const faults: FieldError[] = [];
  const fault = (pointer: string, detail: string) => void faults.push({ pointer, detail });
  const name = canonicalName(reservation.hostname);
  const named = hostNameFault(name);
  if (named) fault('/hostname', named);
  const mac = parseMac(reservation.mac_address);
  if (!mac || !isUnicastMac(mac)) {
    fault('/mac_address', 'Must be a MAC address, such as 00:50:56:01:02:03.');
  }
  const address = parseAddress(reservation.ip_address.trim());
  if (!address || !isUnicast(address)) fault('/ip_address', 'Must be an address that a host can have.');
  if (!mac || !address || faults.length > 0) throw invalid(...faults);
  const { text } = address;
  return { ...reservation, hostname: name, mac_address: mac, ip_address: text, address_family: familyOf(text) };
}

const conflict = (detail: string, pointer: string, code: ErrorCode = 'state_conflict'): Problem =>
  new Problem(code, detail, { errors: [{ pointer, detail }] });

/** @throws Problem 422 or 409 at `/ip_address` where no enabled scope could give it out. */
export function requirePlace({ ip_address }: DhcpReservation, surroundings: Surroundings): void {
  const at = '/ip_address';
  const address = parseAddress(ip_address)!;
  const within = servedSubnets(surroundings).filter(({ subnet_cidr }) => contains(parseCidr(subnet_cidr)!, address));
  const [scope, other] = within;
  if (!scope) throw invalid({ pointer: at, detail: 'Is in no enabled DHCP scope: enable or add its scope first.' });
  if (other) throw conflict(`Is in two enabled scopes, ${scope.name} and ${other.name}.`, at);
  if (!isUsableHost(parseCidr(scope.subnet_cidr)!, address)) {
    throw invalid({ pointer: at, detail: `Must be an address that a host can have in ${scope.subnet_cidr}.` });
  }
  if (scope.gateway === ip_address) throw conflict(`Is the gateway of the scope ${scope.name}.`, at);
  const [own] = [...surroundings.standing].filter(([, { addresses }]) => addresses.includes(ip_address));
  if (own) throw conflict(`Is the address of the interface ${own[0]} of this appliance.`, at);
}

/** What an edit would be held against. @throws Problem 422 or 409 with pointers to members. */
export function settleReservation(reservation: DhcpReservation, surroundings: Surroundings): void {
  const canonical = canonicalReservation(reservation);
  const edited = changedMembers(keptReservations, reservation, canonical);
  if (edited.length > 0) throw invalid({ pointer: `/${edited[0]}`, detail: 'Is not written as it is stored.' });
  if (canonical.enabled) requirePlace(canonical, surroundings);
}

/** @throws Problem 422 at `/register_dns` when no domain is known. */
export function wantedName(reservation: DhcpReservation, surroundings: Surroundings): RegisteredName {
  const address = parseAddress(reservation.ip_address)!;
  const scope = servedSubnets(surroundings).find(({ subnet_cidr }) => contains(parseCidr(subnet_cidr)!, address));
  const wanted = registeredName(reservation, scope?.domain || surroundings.domain);
  if (wanted) return wanted;
  const detail =
    'No domain is known for the record: give the reservation a full name, or the scope or the name service a domain.';
  throw invalid({ pointer: '/register_dns', detail });
}

/** Pages of the owners of reservations. */
const KEEPERS: Readonly<Record<string, { called: string; page(ref: string): string }>> = {
  [OWNER.host]: { called: 'ESXi host', page: (ref) => pagePath('boot-host', ref) },
};

export function keptElsewhere({ hostname, owner }: DhcpReservation, verb: 'edited' | 'deleted'): Problem {
  const { source, ref, component: part } = owner!;
  const keeper = KEEPERS[source];
  const subject = `${keeper?.called ?? source} ${part ?? ref}`;
  const reason = `The reservation of ${hostname} is kept for it; only its description can be edited here.`;
  const page = keeper?.page(ref) ?? pagePath('dhcp');
  return new Problem('state_conflict', `The reservation is kept by ${subject} and cannot be ${verb} here.`, {
    blockers: [{ subject, reason, page, unblock: `Edit the ${keeper?.called ?? source}; the reservation follows` }],
  });
}
