// Where the boot listener answers, and its origins in URLs.
import { isIPv6 } from 'node:net';
import { NO_GATEWAY } from '../../platform/interfaces/refresh/snapshot.ts';
import type { BootScope } from '../../platform/units/unit.ts';
import type { ListenInterface, NetworkBootDesired } from './desired.ts';
import { EFI_PROGRAM } from './files.ts';
import type { ManifestListener } from './manifest.ts';
import { IPXE_PATH } from './paths.ts';
import { NO_BOOT_URL } from './settings.ts';

/** `http://10.10.0.5:8081`; without the port where it is HTTP's own. */
export function originOf(address: string, port: number): string {
  return new URL(`http://${isIPv6(address) ? `[${address}]` : address}:${port}`).origin;
}

export function listenersOf({ settings, listen }: NetworkBootDesired): ManifestListener[] {
  const { http_port: port } = settings;
  return listen.flatMap(({ name, addresses }) =>
    addresses.map((address) => ({ interface: name, address, port, origin: originOf(address, port) })),
  );
}

/** The address that DHCP sends; network boot uses DHCP over IPv4 only. */
export const ipv4Of = ({ addresses }: ListenInterface): string | null =>
  addresses.find((address) => !isIPv6(address)) ?? null;

/** The URL of this listener's boot program for firmware that fetches over HTTP; null: none. */
export function httpProgram(
  { uefi_http_url, http_port }: NetworkBootDesired['settings'],
  address: string,
): string | null {
  if (uefi_http_url === NO_BOOT_URL) return null;
  return uefi_http_url || `${originOf(address, http_port)}${IPXE_PATH}${EFI_PROGRAM}`;
}

/** Why DHCP names no boot listener; `listener`: the interface that this is about. words.ts has the sentences. */
export type Unpointed = {
  why: 'chosen-silent' | 'nowhere' | 'several' | 'no-gateway' | 'own-gateway';
  listener: string;
};
/** The boot listener of a scope's machines; null when DHCP names none, with the reason. */
export type Pointed = { link: ListenInterface; why?: undefined } | { link: null; why: Unpointed };

type Listeners = Pick<NetworkBootDesired, 'listen' | 'own_addresses'>;

/**
 * The chosen listener; else that of the scope's own interface; else the only one, if the scope has another router. The
 * appliance as gateway would not do: it answers only on the interface of the listener.
 */
export function pointedTo({ listen, own_addresses }: Listeners, scope: BootScope): Pointed {
  const links = listen.filter((link) => ipv4Of(link) !== null);
  const { boot_listener: chosen, gateway } = scope;
  const named = links.find(({ name }) => name === (chosen || scope.interface));
  if (named) return { link: named };
  const none = (why: Unpointed['why'], listener = ''): Pointed => ({ link: null, why: { why, listener } });
  if (chosen !== '') return none('chosen-silent', chosen);
  const [only, ...more] = links;
  if (!only) return none('nowhere');
  if (more.length > 0) return none('several');
  if (gateway === NO_GATEWAY) return none('no-gateway', only.name);
  // An empty gateway follows the appliance.
  return gateway === '' || own_addresses.includes(gateway) ? none('own-gateway', only.name) : { link: only };
}
