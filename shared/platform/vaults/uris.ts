// Addresses of a vault entry: where its credential is used. One spelling of each is kept.
import { parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import type { FieldError } from '../../ground/problems.ts';

export const URIS_MOST = 9;
export const URI_LENGTH_MOST = 2048;

/** Scheme → its port. */
const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ssh: 22, sftp: 22 };

/** `{uri}` in its canonical spelling, or what is wrong with it. */
type Reading = { uri: string } | { fault: string };

const PARTS = /^([a-z]+):\/\/([^/?#]*)([/?][^#]*)?$/i;

/**
 * Canonical: scheme and host in lower case, no default port, no dot at the end of the name, a path only where there is
 * one.
 */
export function readUri(text: string): Reading {
  if (text.length > URI_LENGTH_MOST) return { fault: `At most ${URI_LENGTH_MOST} characters.` };
  // `\p{C}` has control characters, separators and lone surrogates; some parsers read a backslash as a slash.
  if (/[\s\p{C}\\]/u.test(text)) return { fault: 'Spaces, control characters and backslashes are not accepted.' };
  if (text.includes('#')) return { fault: 'Must not have a fragment (#).' };
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? [];
  const port = PORTS[scheme.toLowerCase()];
  if (port === undefined) return { fault: 'Must begin with http://, https://, ssh:// or sftp://.' };
  if (authority.includes('@')) return { fault: 'Must not hold a user name or a password.' };
  const read = readAuthority(authority, port);
  if ('fault' in read) return read;
  const uri = canonicalPath(`${scheme.toLowerCase()}://${read.server}`, rest);
  // The URI may be longer after encoding.
  return uri.length > URI_LENGTH_MOST ? { fault: `At most ${URI_LENGTH_MOST} characters, once encoded.` } : { uri };
}

function readAuthority(authority: string, standard: number): { server: string } | { fault: string } {
  const [, host = '', digits] = /^(\[[^\]]*\]|[^:[\]]*)(?::([0-9]*))?$/.exec(authority) ?? [];
  if (host === '') return { fault: 'A host is missing, or an IPv6 address has no brackets.' };
  const port = digits === undefined ? standard : Number(digits);
  if (digits === '' || port < 1 || port > 65_535) return { fault: 'The port must be 1 to 65535.' };
  const suffix = port === standard ? '' : `:${port}`;
  if (host.startsWith('[')) {
    const address = parseAddress(host.slice(1, -1));
    if (address?.family !== 6) return { fault: 'Brackets must contain an IPv6 address without a zone.' };
    return { server: `[${address.text}]${suffix}` };
  }
  const address = parseAddress(host);
  const name = canonicalName(host);
  const fault = address ? null : hostNameFault(name);
  if (fault !== null) return { fault };
  return { server: `${address?.text ?? name}${suffix}` };
}

/** A path with dots resolved and other characters encoded; a slash alone is no path. */
function canonicalPath(origin: string, rest: string): string {
  if (rest === '' || rest === '/') return origin;
  // With a host in front: two slashes at the beginning of a relative reference would begin a host.
  const { pathname, search } = new URL(`https://path.invalid${rest}`);
  return origin + (pathname === '/' ? search : pathname + search);
}

/** The URIs of an entry, canonical, or the faults of each; a repeated URI is a fault. */
export function readUris(texts: readonly string[]): { uris: string[] } | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const uris: string[] = [];
  for (const [at, text] of texts.entries()) {
    const read = readUri(text);
    const fault = 'fault' in read ? read.fault : uris.includes(read.uri) ? 'This URI is in the list twice.' : null;
    if (fault !== null) errors.push({ pointer: `/uris/${at}`, detail: fault });
    if ('uri' in read) uris.push(read.uri);
  }
  return errors.length > 0 ? { errors } : { uris };
}

export const isWebUri = (uri: string): boolean => /^https?:\/\//.test(uri);

/** Host and port of an ssh URI that was read before; an IPv6 address without brackets. */
export function sshServerOf(uri: string): { host: string; port: number } {
  const [, , authority = ''] = PARTS.exec(uri) ?? [];
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(authority) ?? [];
  return { host: bracketed ?? plain, port: port === undefined ? PORTS.ssh! : Number(port) };
}

/** How a login reaches a web address that is not https, in words; empty for https. Every login uses TLS. */
export function tlsNote(uri: string): string {
  if (!uri.startsWith('http://')) return '';
  const [, port = '443'] = /:([0-9]+)$/.exec(PARTS.exec(uri)?.[2] ?? '') ?? [];
  return `dialled with TLS on ${port}`;
}

/** `host`, or `host:port` where the port is not that of the scheme; an IPv6 address has brackets only before a port. */
export function serverOf(uri: string): string {
  const [, , authority = ''] = PARTS.exec(uri) ?? [];
  return authority.endsWith(']') ? authority.slice(1, -1) : authority;
}
