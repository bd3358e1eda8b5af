// The values sent to the clients of a DHCP scope. An empty value follows the appliance: what it stands for is never
// stored, but resolved where it is rendered or shown.
import { isUsableHost, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { NO_SERVER, type ScopeRow } from './snapshot.ts';
import { type Standing, standingIn } from './standing.ts';

/** Interfaces on which the enabled services listen. */
export interface ServiceInterfaces {
  dns: readonly string[];
  ntp: readonly string[];
}

/**
 * Gateway: empty where the appliance has no address to send, `none` where the operator sends none. Lists: addresses
 * only.
 */
export interface HandedOut {
  gateway: string;
  dns_servers: string[];
  ntp_servers: string[];
}

type Values = Pick<ScopeRow, 'interface' | 'subnet_cidr' | keyof HandedOut>;

/** Address of the scope's interface in its family; null where it has no static one. */
export const ownAddress = (
  { interface: name, address_family }: Pick<ScopeRow, 'interface' | 'address_family'>,
  standing: ReadonlyMap<string, Standing>,
): string | null => standingIn(standing, name).networks[address_family]?.address.text ?? null;

/** The gateway that clients get; `own`: the appliance's address on the interface. */
export function gatewayFor(
  { gateway, subnet_cidr }: Pick<Values, 'gateway' | 'subnet_cidr'>,
  own: string | null,
): string {
  if (gateway !== '' || own === null) return gateway;
  const [subnet, address] = [parseCidr(subnet_cidr), parseAddress(own)];
  return subnet && address && isUsableHost(subnet, address) ? own : '';
}

/**
 * An empty gateway becomes `own` where that is in the subnet; empty servers become `own` where the service listens on
 * the interface.
 */
export function handedOut(scope: Values, own: string | null, listening: ServiceInterfaces): HandedOut {
  const servers = (list: readonly string[], service: readonly string[]): string[] => {
    if (list.length > 0) return list.filter((server) => server !== NO_SERVER);
    return own !== null && service.includes(scope.interface) ? [own] : [];
  };
  return {
    gateway: gatewayFor(scope, own),
    dns_servers: servers(scope.dns_servers, listening.dns),
    ntp_servers: servers(scope.ntp_servers, listening.ntp),
  };
}
