// Key management as facts: what a plan compares. Providers, clients and keys are none: they take effect at once.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import type { KmsDesired } from './desired.ts';

export type KmsFacts = {
  enabled: boolean;
  /** By interface: addresses that it answers at, each with the port. */
  listen: string[];
  /** Empty: none. */
  hostname: string;
  /** SHA-256 of the root certificate; null: there is none. */
  authority: string | null;
  certificate: { sha256: string; not_after: string };
};

export const kms = factsOf<KmsFacts>();

export function facts({ settings, listen, authority, certificate }: KmsDesired): Facts {
  const { facts: found, add } = kms.list();
  const { enabled, port, hostname } = settings;
  add('enabled', enabled);
  if (!enabled) return found;
  for (const { name, addresses } of listen) {
    const at = addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`);
    add('listen', at, name);
  }
  add('hostname', hostname);
  add('authority', authority?.sha256 ?? null);
  if (certificate) add('certificate', { sha256: certificate.sha256, not_after: certificate.not_after });
  return found;
}

export const follows = ({ kind }: Difference): boolean => kind === 'listen';
