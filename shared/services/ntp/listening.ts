// How chronyd is limited to the chosen interfaces. Its one server socket of a family binds to one address or to all
// addresses (chrony.conf(5), bindaddress). With one static address in a family it binds to that. With several, or with
// one that the network gives, it binds to all, and refuses clients in networks of other interfaces.
import { type Cidr, contains, parseCidr } from '../../ground/addresses/address.ts';
import type { AddressFamily } from '../../platform/interfaces/refresh/snapshot.ts';
import { FAMILIES, type ListenInterface, type NtpDesired } from './desired.ts';

/** A family without listeners binds to the loopback: without a binding chronyd would use all addresses. */
const LOOPBACK: Readonly<Record<AddressFamily, string>> = { ipv4: '127.0.0.1', ipv6: '::1' };

export interface Listening {
  /** One address for each family; none where chronyd binds to all. */
  bind: string[];
  /** Networks whose clients are not answered, because they are those of other interfaces. */
  refused: string[];
}

export const addressIn = (cidr: string): string => cidr.slice(0, cidr.indexOf('/'));

/** Static addresses of the interface, IPv4 first. */
export const addressesOf = (link: ListenInterface): string[] =>
  FAMILIES.flatMap((family) => (link[family].cidr === '' ? [] : [addressIn(link[family].cidr)]));

export const isDynamic = (link: ListenInterface): boolean => FAMILIES.some((family) => link[family].dynamic);

function bindingOf(listen: readonly ListenInterface[], family: AddressFamily): string | null {
  const addresses = listen.flatMap((link) => (link[family].cidr === '' ? [] : [addressIn(link[family].cidr)]));
  if (addresses.length > 1 || listen.some((link) => link[family].dynamic)) return null;
  return addresses[0] ?? LOOPBACK[family];
}

/** Whether a network contains a chosen one: it can't be refused without refusing that, too. */
function holdsChosen(network: Cidr, listen: readonly ListenInterface[]): boolean {
  return listen.some((link) =>
    FAMILIES.some((family) => {
      const chosen = parseCidr(link[family].cidr);
      return chosen !== null && contains(network, chosen.address) && network.prefix <= chosen.prefix;
    }),
  );
}

/** Pure: addresses to bind, and networks to refuse. */
export function listening({ listen, elsewhere }: Pick<NtpDesired, 'listen' | 'elsewhere'>): Listening {
  const bindings = FAMILIES.map((family) => ({ family, address: bindingOf(listen, family) }));
  const open = new Set(bindings.filter(({ address }) => address === null).map(({ family }) => family));
  const refused = elsewhere.filter((text) => {
    const network = parseCidr(text);
    return network !== null && open.has(network.family === 4 ? 'ipv4' : 'ipv6') && !holdsChosen(network, listen);
  });
  return { bind: bindings.flatMap(({ address }) => address ?? []), refused };
}
