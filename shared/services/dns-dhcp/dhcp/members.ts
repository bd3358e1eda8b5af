// Schemas of members that scopes, options, reservations and the legacy binding share.
import * as v from 'valibot';
import { anyCase, described, text } from '../../../ground/schemas/component.ts';
import { NAME_MOST } from '../../../platform/interfaces/interface.ts';
import { FAMILIES } from '../../../platform/interfaces/refresh/change.ts';
import { domainName, whole } from '../../../platform/units/settings-schemas.ts';
import { LEASE_SECONDS } from '../dhcp-settings.ts';

export const RANGES_MOST = 32;
export const SERVERS_MOST = 4;

/** The word in any case, canonical in answers. */
export const addressFamily = (text: string) => anyCase(FAMILIES, `${text} ipv4 or ipv6, case-insensitive.`);
export const familySchema = described(v.picklist(FAMILIES), 'Address family.');

export const addressText = (text: string) =>
  v.pipe(v.string(), v.maxLength(64, 'At most 64 characters.'), v.description(text));

const servers = (what: string) =>
  v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(64, 'At most 64 characters.'))),
    v.maxLength(SERVERS_MOST, `At most ${SERVERS_MOST} servers.`),
    v.description(
      `Addresses of ${what} servers for clients, at most ${SERVERS_MOST}. Empty: follows the appliance, whose address on the interface is sent while its own enabled ${what} service listens there. The one word \`none\`: clients get none. Stored as written.`,
    ),
  );

const range = v.strictObject({ start: addressText('First address.'), end: addressText('Last address, included.') });

/** Members of a subnet that is served, without its family. */
export const SUBNET_MEMBERS = {
  interface: v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(NAME_MOST, `At most ${NAME_MOST} characters.`),
    v.description('Name of the interface that it is served on; may be empty while it is off.'),
  ),
  subnet_cidr: addressText(
    'Network that is served, without host bits. Over IPv6 a /64 or smaller, and no larger than the network of its interface: dnsmasq would serve nobody there.',
  ),
  ranges: v.pipe(
    v.array(range),
    v.maxLength(RANGES_MOST, `At most ${RANGES_MOST} ranges.`),
    v.description(
      `Ranges of addresses for clients without a reservation, at most ${RANGES_MOST}: inside the subnet and not overlapping; kept in order. None: only reservations are served.`,
    ),
  ),
  gateway: addressText(
    'Router for clients: an address inside the subnet; `none`: clients get no router; empty: follows the appliance, whose address on the interface is sent. Over IPv6 routers announce themselves: the appliance does while its own address is the gateway, and announces no other.',
  ),
  dns_servers: servers('DNS'),
  ntp_servers: servers('NTP'),
  lease_time: whole(LEASE_SECONDS.least, LEASE_SECONDS.most, 'Seconds for which an address is given out.'),
  domain: domainName('Domain of clients. Empty: follows the search domain of the name service.'),
};

/** The same members in answers. */
export const SUBNET_ANSWER = {
  interface: text('Name of the interface that it is served on; may be empty while it is off.'),
  subnet_cidr: text('Network that is served, such as 192.0.2.0/24.'),
  ranges: described(
    v.array(v.object({ start: text('First address.'), end: text('Last address, included.') })),
    'Addresses for clients without a reservation.',
  ),
  gateway: described(
    v.string(),
    '`none`: clients get no router. Empty: follows the appliance’s address on the interface.',
  ),
  dns_servers: described(
    v.array(v.string()),
    'Addresses of DNS servers for clients. Empty: follows the appliance, where its DNS service listens on the interface. `none` alone: clients get none.',
  ),
  ntp_servers: described(
    v.array(v.string()),
    'Addresses of NTP servers for clients. Empty: follows the appliance, where its NTP service listens on the interface. `none` alone: clients get none.',
  ),
  lease_time: described(v.pipe(v.number(), v.integer()), 'Seconds.'),
  domain: text('Domain of clients. Empty: follows the search domain of the name service.'),
};
