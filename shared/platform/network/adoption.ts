// Addresses that a link has already before networkd configures it, changed to what networkd would have made: it takes
// over what it finds. Else a lifetime left by a DHCP client would run out and remove a static address; and a label, or
// a missing broadcast address, makes networkd fail. Pure.
import { parseCidr } from '../../ground/addresses/address.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';

/** The part of `ip -j addr show` that is read. */
export interface LinkAddresses {
  ifname?: string;
  addr_info?: {
    family?: string;
    local?: string;
    prefixlen?: number;
    scope?: string;
    label?: string;
    broadcast?: string;
    dynamic?: boolean;
    noprefixroute?: boolean;
  }[];
}

type Address = NonNullable<LinkAddresses['addr_info']>[number];

/** Lines for `ip -batch`; none when nothing has to change, as from the second apply on. */
export function adoptionLines(rows: readonly NetworkInterface[], shown: readonly LinkAddresses[]): string[] {
  const links = new Map(shown.map((link) => [link.ifname, link.addr_info ?? []]));
  return rows.flatMap((row) => {
    const wanted = [row.ipv4_cidr, row.ipv6_cidr].filter((cidr) => cidr !== '');
    return (links.get(row.name) ?? []).flatMap((address) => {
      const cidr = parseCidr(`${address.local}/${address.prefixlen}`)?.text;
      return cidr !== undefined && wanted.includes(cidr) ? addressLines(row.name, cidr, address) : [];
    });
  });
}

function addressLines(name: string, cidr: string, address: Address): string[] {
  const at = `${cidr} dev ${name}`;
  if (address.family === 'inet' && isStrange(name, address)) {
    // None of these can be changed in place. In one batch the address is missing for less than a millisecond.
    return [`addr del ${at}`, `addr add ${at} ${address.prefixlen! < 31 ? 'brd + ' : ''}scope global`];
  }
  return address.dynamic ? [`addr change ${at} valid_lft forever preferred_lft forever`] : [];
}

function isStrange(name: string, address: Address): boolean {
  // An address of 169.254.0.0/16 is of the scope link in any case.
  const misscoped = address.scope !== 'global' && !address.local?.startsWith('169.254.');
  return (
    misscoped ||
    (address.label !== undefined && address.label !== name) ||
    address.noprefixroute === true ||
    (address.prefixlen! < 31 && address.broadcast === undefined)
  );
}
