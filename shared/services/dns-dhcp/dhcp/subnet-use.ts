// What a subnet contains: names with an address in it, and reservations. For pages that draw it.
import { type Cidr, contains, formatAddress, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import type { Database } from '../../../ground/store/database.ts';
import { documentOf } from '../../../platform/units/documents.ts';
import { LEGACY_KEY } from './surroundings.ts';

export interface AddressUse {
  address: string;
  /** Host name of the reservation, or name of the record. */
  name: string;
  kind: 'record' | 'reservation';
}

/** Rows for all subnets of a page together, at most. */
const MOST = 50_000;

const READ = `SELECT subnet.key AS subnet, 'record' AS kind, record.value AS address, record.fqdn AS name
    FROM json_each(?1) subnet
    JOIN dns_record record ON record.value >= subnet.value ->> 0 AND record.value < subnet.value ->> 1
    WHERE record.type IN ('A', 'AAAA')
  UNION ALL SELECT subnet.key, 'reservation', reservation.ip_address, reservation.hostname
    FROM json_each(?1) subnet
    JOIN dhcp_reservation reservation
      ON reservation.ip_address >= subnet.value ->> 0 AND reservation.ip_address < subnet.value ->> 1
  LIMIT ${MOST}`;

interface UseRow extends AddressUse {
  subnet: number;
}

/** For each subnet, in the same order, what it contains; nothing for what is no network. One statement. */
export async function loadSubnetUse(db: Database, subnets: readonly string[]): Promise<AddressUse[][]> {
  const cidrs = subnets.map(parseCidr);
  const found = subnets.map((): AddressUse[] => []);
  if (cidrs.every((cidr) => cidr === null)) return found;
  const rows = await db.all<UseRow>(READ, [JSON.stringify(cidrs.map((cidr) => (cidr ? textBounds(cidr) : ['', ''])))]);
  for (const { subnet, ...use } of rows) {
    const [cidr, address] = [cidrs[subnet], parseAddress(use.address)];
    if (cidr && address && contains(cidr, address)) found[subnet]!.push(use);
  }
  return found;
}

/**
 * The longest beginning that the texts of all addresses of a network share: `10.` for 10.20.0.0/14. Canonical IPv6
 * texts share only the groups before the first zero, since zeros may be shortened there.
 */
export function textPrefix(cidr: Cidr): string {
  if (cidr.family === 4) {
    const octets = formatAddress(4, cidr.first)
      .split('.')
      .slice(0, Math.floor(cidr.prefix / 8));
    return octets
      .map((octet) => `${octet}.`)
      .join('')
      .slice(0, octets.length === 4 ? -1 : undefined);
  }
  const groups = Array.from(
    { length: Math.floor(cidr.prefix / 16) },
    (_, at) => (cidr.first >> BigInt(112 - at * 16)) & 0xffffn,
  );
  const zero = groups.indexOf(0n);
  const fixed = (zero < 0 ? groups : groups.slice(0, zero)).map((group) => group.toString(16));
  return fixed.length === 8 ? fixed.join(':') : fixed.map((group) => `${group}:`).join('');
}

/** Bounds (from, to before) that contain the texts of all addresses of the network, for an index. */
function textBounds(cidr: Cidr): [from: string, to: string] {
  const prefix = textPrefix(cidr);
  return [prefix, `${prefix}\u{7f}`];
}

const RESERVED = "SELECT group_concat(ip_address, ' ') AS addresses FROM dhcp_reservation WHERE enabled = 1";

/** Addresses of enabled reservations. */
export async function reservedAddresses(db: Database): Promise<string[]> {
  const row = await db.one<{ addresses: string | null }>(RESERVED);
  return (row?.addresses ?? '').split(' ').filter(Boolean);
}

export interface DhcpCounts {
  reservations: number;
  options: number;
  /** Whether a legacy binding was ever saved. */
  legacy: boolean;
}

const COUNTS = `SELECT (SELECT count(*) FROM dhcp_reservation) AS reservations,
  (SELECT count(*) FROM dhcp_option) AS options,
  ${documentOf(LEGACY_KEY)} IS NOT NULL AS legacy`;

export async function countDhcp(db: Database): Promise<DhcpCounts> {
  const { reservations, options, legacy } = (await db.one<Record<keyof DhcpCounts, number>>(COUNTS))!;
  return { reservations, options, legacy: legacy === 1 };
}
