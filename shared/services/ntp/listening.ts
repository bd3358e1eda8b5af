// How chronyd is kept to the chosen interfaces. Its one server socket of a family binds to one address or to all of
// them (chrony.conf(5), bindaddress): with one address in a family nothing else can reach the service; with several, or
// with one that only the network knows, it binds to all, and clients in networks of other interfaces are refused.
import { type Cidr, contains, parseCidr } from '../../ground/addresses/address.ts';
import type { AddressFamily } from '../../platform/interfaces/refresh/snapshot.ts';
import { FAMILIES, type ListenInterface, type NtpDesired } from './desired.ts';

/** Binding to it keeps a family without listeners shut: without any binding chronyd would take all addresses. */
const LOOPBACK: Readonly<Record<AddressFamily, string>> = { ipv4: '127.0.0.1', ipv6: '::1' };

export interface Listening {
  /** One address a family, or none where it binds to all. */
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

/** A network that holds one of the chosen ones can't be refused without refusing that one, too. */
function holdsChosen(network: Cidr, listen: readonly ListenInterface[]): boolean {
  return listen.some((link) =>
    FAMILIES.some((family) => {
      const chosen = parseCidr(link[family].cidr);
      return chosen !== null && contains(network, chosen.address) && network.prefix <= chosen.prefix;
    }),
  );
}

/** Pure: what to bind, and whom to refuse. */
export function listening({ listen, elsewhere }: Pick<NtpDesired, 'listen' | 'elsewhere'>): Listening {
  const bindings = FAMILIES.map((family) => ({ family, address: bindingOf(listen, family) }));
  const open = new Set(bindings.filter(({ address }) => address === null).map(({ family }) => family));
  const refused = elsewhere.filter((text) => {
    const network = parseCidr(text);
    return network !== null && open.has(network.family === 4 ? 'ipv4' : 'ipv6') && !holdsChosen(network, listen);
  });
  return { bind: bindings.flatMap(({ address }) => address ?? []), refused };
}
