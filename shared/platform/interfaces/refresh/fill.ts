// Values of a DHCP scope that nobody chose: they are the appliance's own address, when it has one to give.
import { isUsableHost, parseCidr } from '../../../ground/addresses/address.ts';
import type { ScopeRow } from './snapshot.ts';
import { type Standing, standingIn } from './standing.ts';

/** Interfaces on which the enabled services listen. */
export interface ServiceInterfaces {
  dns: readonly string[];
  ntp: readonly string[];
}

/**
 * An empty gateway becomes the interface's address where that lies in the subnet; empty lists of DNS and NTP servers do where that service listens on
 * the interface. Answers the scope itself when nothing is filled.
 */
export function fillBlanks<S extends ScopeRow>(
  scope: S,
  standing: ReadonlyMap<string, Standing>,
  listening: ServiceInterfaces,
): S {
  const carried = standingIn(standing, scope.interface).networks[scope.address_family]?.address;
  if (!carried) return scope;
  const address = carried.text;
  const subnet = parseCidr(scope.subnet_cidr);
  const gateway = scope.gateway === '' && subnet !== null && isUsableHost(subnet, carried) ? address : scope.gateway;
  const own = (list: readonly string[], service: readonly string[]): string[] | null =>
    list.length === 0 && service.includes(scope.interface) ? [address] : null;
  const dns_servers = own(scope.dns_servers, listening.dns);
  const ntp_servers = own(scope.ntp_servers, listening.ntp);
  if (gateway === scope.gateway && !dns_servers && !ntp_servers) return scope;
  return {
    ...scope,
    gateway,
    ...(dns_servers && { dns_servers }),
    ...(ntp_servers && { ntp_servers }),
  };
}
