// The OpenID Connect provider as facts: what a plan compares.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import { addressesOf, type OidcDesired } from './desired.ts';
import { issuerOf } from './issuer.ts';

export type OidcFacts = {
  enabled: boolean;
  /** By interface: addresses that it answers at, each with the port. */
  listen: string[];
  /** Empty: none. */
  hostname: string;
  issuer: string;
  /** Seconds: access token, ID token, code. */
  lifetimes: number[];
  /** SHA-256 of the root certificate; null: there is none. */
  authority: string | null;
  certificate: { sha256: string; not_after: string };
};

export const oidc = factsOf<OidcFacts>();

export function facts(desired: OidcDesired): Facts {
  const { settings, listen, authority, certificate } = desired;
  const { facts: found, add } = oidc.list();
  const { enabled, port, hostname, access_token_seconds, id_token_seconds, code_seconds } = settings;
  add('enabled', enabled);
  if (!enabled) return found;
  for (const { name, addresses } of listen) {
    const at = addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`);
    add('listen', at, name);
  }
  add('hostname', hostname);
  add('issuer', issuerOf(settings, addressesOf(desired)));
  add('lifetimes', [access_token_seconds, id_token_seconds, code_seconds]);
  add('authority', authority?.sha256 ?? null);
  if (certificate) add('certificate', { sha256: certificate.sha256, not_after: certificate.not_after });
  return found;
}

export const follows = ({ kind }: Difference): boolean => kind === 'listen';
