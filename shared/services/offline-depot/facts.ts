// The offline depot as facts: what a plan compares.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import type { DepotDesired } from './desired.ts';

export type DepotFacts = {
  enabled: boolean;
  /** By interface: addresses that the depot answers at, each with the port. */
  listen: string[];
  /** Empty: none. */
  hostname: string;
  /** Empty: nobody, since no user is chosen. */
  access: { everybody: true } | { user: string };
  /** SHA-256 of the root certificate; null: there is none. */
  authority: string | null;
  certificate: { sha256: string; not_after: string };
};

export const depot = factsOf<DepotFacts>();

export function facts({ settings, listen, authority, certificate }: DepotDesired): Facts {
  const { facts: found, add } = depot.list();
  const { enabled, port, hostname, http_user, allow_unauthenticated_access } = settings;
  add('enabled', enabled);
  if (!enabled) return found;
  for (const { name, addresses } of listen) {
    const at = addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`);
    add('listen', at, name);
  }
  add('hostname', hostname);
  add('access', allow_unauthenticated_access ? { everybody: true } : { user: http_user });
  add('authority', authority?.sha256 ?? null);
  if (certificate) add('certificate', { sha256: certificate.sha256, not_after: certificate.not_after });
  return found;
}

export const follows = ({ kind }: Difference): boolean => kind === 'listen';
