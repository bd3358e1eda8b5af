// The issuer: what is saved, or what follows from host name and port. It never comes from a request.
import type { OidcSettings } from './desired.ts';

/** Path of the provider where the issuer is made from host name and port. */
export const IDENTITY_PATH = '/identity';

/** An address as a URL holds it (RFC 3986, 3.2.2). */
const literal = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Empty: there is neither a host name nor an address. Without a slash at its end, as clients compare it. */
export function issuerOf(
  { issuer, hostname, port }: Pick<OidcSettings, 'issuer' | 'hostname' | 'port'>,
  addresses: readonly string[],
): string {
  if (issuer !== '') return issuer.replace(/\/+$/, '');
  const host = hostname || literal(addresses[0] ?? '');
  return host === '' ? '' : `https://${host}${port === 443 ? '' : `:${port}`}${IDENTITY_PATH}`;
}

/** Path below which the provider answers; empty where the issuer has none. */
export const pathOfIssuer = (issuer: string): string => new URL(issuer).pathname.replace(/\/+$/, '');
