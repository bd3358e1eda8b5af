// The portal as facts: what a plan compares. While there is no portal, custody alone is none of an apply's business.
import { type Difference, type Facts, factsOf } from '../../units/facts.ts';
import type { PortalDesired } from './desired.ts';
import { PORTAL_PORT, type PortalAuthority } from './manifest.ts';

export type PortalFacts = {
  enabled: boolean;
  /** By interface: addresses that the portal answers at, each with the port. */
  listen: string[];
  /** Empty: none. */
  hostname: string;
  revocation: boolean;
  /** By SHA-256. */
  authority: PortalAuthority['standing'];
};

export const portal = factsOf<PortalFacts>();

export function facts({ on, listen, hostname, revocation, authorities }: PortalDesired): Facts {
  const { facts: found, add } = portal.list();
  add('enabled', on);
  if (!on) return found;
  for (const { name, addresses } of listen) {
    const at = addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${PORTAL_PORT}`);
    add('listen', at, name);
  }
  add('hostname', hostname);
  add('revocation', revocation);
  for (const { sha256, standing } of authorities) add('authority', standing, sha256);
  return found;
}

export const follows = ({ kind }: Difference): boolean => kind === 'listen';
