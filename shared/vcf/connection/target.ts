// Which remote machine is meant: from what somebody typed to a host and a port in one canonical spelling. Spellings that
// another program could read as another machine are refused rather than interpreted.
import { domainToASCII } from 'node:url';
import { parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import { invalid, type Problem } from '../../ground/problems.ts';

/** A machine and its TCP port. `host`: lower-case name (punycode), dotted quad, or RFC 5952 without brackets. */
export interface Target {
  host: string;
  port: number;
}

export interface ServerOptions {
  default_port?: number;
  /** Member of the body that holds the text, for the refusal. */
  pointer?: string;
}

export const HTTPS_PORT = 443;

const LONGEST = 300;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const PORT = /^[1-9]\d{0,4}$/;
/** The last label is a number, also an octal or hexadecimal one: URL parsers and getaddrinfo read it as IPv4. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i;

/**
 * Reads `host`, `host:port`, `[v6]:port`, a bare IPv6 address, or an https URL without a path.
 * @throws Problem 422 at `pointer` (default `/server`).
 */
export function parseServer(text: string, options: ServerOptions = {}): Target {
  const { default_port = HTTPS_PORT, pointer = '/server' } = options;
  const read = readServer(text.trim(), default_port);
  if (typeof read === 'string') throw refused(pointer, read);
  return read;
}

const refused = (pointer: string, detail: string): Problem => invalid({ pointer, detail });

/** What makes a text no server, the most telling first. */
const NEVER: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'Enter a host name or an IP address.'],
  [/[\s\p{Cc}\p{Cf}]/u, 'A server has no blanks and no invisible characters.'],
  [/@/, 'Leave out the user name and the password: they are asked for later.'],
  [/%/, 'A zone id or a percent sign is not accepted; write the plain name or address.'],
  [/\\/, 'A backslash is not part of a server.'],
];

function readServer(text: string, default_port: number): Target | string {
  if (text.length > LONGEST) return `At most ${LONGEST} characters.`;
  const never = NEVER.find(([pattern]) => pattern.test(text));
  if (never) return never[1];
  const scheme = SCHEME.exec(text);
  if (scheme && scheme[1]!.toLowerCase() !== 'https') return 'Only https is spoken; write the host, or an https URL.';
  const authority = scheme ? text.slice(scheme[0].length).replace(/\/$/, '') : text;
  if (/[/?#]/.test(authority)) return 'Leave out the path: only a host and a port are accepted.';
  const parts = divided(authority);
  if (typeof parts === 'string') return parts;
  const port = parts.port === null ? default_port : portOf(parts.port);
  if (port === null) return 'The port is a number from 1 to 65535.';
  const host = parts.bracketed ? readV6(parts.host) : readHost(parts.host);
  return typeof host === 'string' ? host : { host: host.name, port };
}

/** Host and port as written; more than one colon without brackets is IPv6, which then has no port. */
function divided(authority: string): { host: string; port: string | null; bracketed: boolean } | string {
  const literal = /^\[([^[\]]*)\](?::(.*))?$/.exec(authority);
  if (literal) return { host: literal[1]!, port: literal[2] ?? null, bracketed: true };
  if (/[[\]]/.test(authority)) return 'Write an IPv6 address with a port as [2001:db8::1]:443.';
  const colon = authority.indexOf(':');
  if (colon < 0) return { host: authority, port: null, bracketed: false };
  if (authority.includes(':', colon + 1)) return { host: authority, port: null, bracketed: true };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1), bracketed: false };
}

function portOf(text: string): number | null {
  const port = PORT.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

function readV6(text: string): { name: string } | string {
  const address = parseAddress(text);
  if (address?.family === 6) return { name: address.text };
  return 'This is no IPv6 address; an IPv4 address is written by itself, such as 192.0.2.10.';
}

function readHost(text: string): { name: string } | string {
  const address = parseAddress(text);
  if (address) return { name: address.text };
  if (NUMERIC.test(text)) return NO_NUMBER;
  const name = asciiName(text);
  if (name === null) return 'This is no host name.';
  // Digits and dots of other scripts become ASCII ones only now.
  if (NUMERIC.test(name)) return NO_NUMBER;
  const fault = hostNameFault(name);
  return fault === null ? { name } : fault;
}

const NO_NUMBER = 'Write an IPv4 address as four decimal numbers, such as 192.0.2.10; a name must not end in a number.';

/** The name in its xn-- form (UTS 46); null when it has none. */
function asciiName(text: string): string | null {
  const plain = /^[\x21-\x7e]*$/.test(text);
  const name = canonicalName(plain ? text : domainToASCII(text));
  return name === '' && !plain ? null : name;
}

const isV6 = (host: string): boolean => host.includes(':');

/** As a Host header and a URL have it: IPv6 in brackets, without the port of https. */
export function authorityText({ host, port }: Target): string {
  const name = isV6(host) ? `[${host}]` : host;
  return port === HTTPS_PORT ? name : `${name}:${port}`;
}

/** As address fields show it: `vc01.lab.example`, `vc01.lab.example:8443`, `2001:db8::1`. */
export function serverText(target: Target): string {
  return isV6(target.host) && target.port === HTTPS_PORT ? target.host : authorityText(target);
}

/** As fields show it that are labelled URL: `https://vc01.lab.example`. */
export function urlText(target: Target): string {
  return `https://${authorityText(target)}`;
}
