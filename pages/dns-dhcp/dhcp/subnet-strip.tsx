// What a page draws of a subnet: what is known to be in it, put together from names, reservations and the appliance's
// own addresses.
import { parseCidr } from '../../../shared/ground/addresses/address.ts';
import { gatewayFor, ownAddress } from '../../../shared/platform/interfaces/refresh/handed-out.ts';
import type { Standing } from '../../../shared/platform/interfaces/refresh/standing.ts';
import type { AddressUse } from '../../../shared/services/dns-dhcp/dhcp/subnet-use.ts';
import { AddressStrip } from '../../components/address-strip.tsx';
import type { StripData } from '../../components/address-strip-layout.ts';

export interface Subnet {
  interface: string;
  subnet_cidr: string;
  ranges: readonly { start: string; end: string }[];
  /** An address, `none`, or empty: it follows the appliance. */
  gateway: string;
}

export interface Drawn {
  data: StripData;
  names: ReadonlyMap<string, string>;
  reservations: number;
}

export function drawnOf(subnet: Subnet, use: readonly AddressUse[], standing: ReadonlyMap<string, Standing>): Drawn {
  const names = new Map<string, string>();
  for (const [name, { addresses }] of standing) {
    for (const address of addresses) names.set(address, `this appliance on ${name}`);
  }
  const own = [...names.keys()];
  const address_family = parseCidr(subnet.subnet_cidr)?.family === 6 ? 'ipv6' : 'ipv4';
  const carried = ownAddress({ ...subnet, address_family }, standing);
  for (const { address, name, kind } of use)
    if (kind === 'reservation' || !names.has(address)) names.set(address, name);
  const of = (kind: AddressUse['kind']) => use.filter((each) => each.kind === kind).map(({ address }) => address);
  const reserved = of('reservation');
  return {
    data: {
      network: subnet.subnet_cidr,
      pools: subnet.ranges,
      used: [...own, ...of('record')],
      reserved,
      gateway: gatewayFor(subnet, carried),
    },
    names,
    reservations: reserved.length,
  };
}

/** `focus`: the address that the page is about. */
export function SubnetStrip({ drawn: { data, names }, focus = '' }: { drawn: Drawn; focus?: string }) {
  return <AddressStrip data={data} names={names} focus={focus} />;
}
