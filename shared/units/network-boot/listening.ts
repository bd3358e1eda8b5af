// Where the boot listener answers, and the origins by which hosts know it.
import { isIPv6 } from 'node:net';
import type { ManifestListener } from '../../network-boot/manifest.ts';
import type { ListenInterface, NetworkBootDesired } from './desired.ts';

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

/** The address that DHCP tells: network boot is told over IPv4 only. */
export const ipv4Of = ({ addresses }: ListenInterface): string | null =>
  addresses.find((address) => !isIPv6(address)) ?? null;
