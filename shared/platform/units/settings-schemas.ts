// Schemas of the members of settings, and the published schemas of a whole document. Every member has a description; an
// accepted value becomes canonical.
import * as v from 'valibot';
import {
  isLinkLocal,
  isLoopback,
  isUnicast,
  networkOf,
  parseAddress,
  parseCidr,
} from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault, isDomainName } from '../../ground/addresses/domain-name.ts';
import { component, integerSchema } from '../../ground/schemas/component.ts';
import { plainText } from '../../ground/schemas/plain-text.ts';
import { NAME_MOST } from '../interfaces/interface.ts';
import type { AnySettings } from './settings.ts';

const unique = <T>(items: T[]): boolean => new Set(items).size === items.length;

export const flag = (text: string) => v.pipe(v.boolean(), v.description(text));

/** A whole number within bounds, which the description states. */
export function whole(minimum: number, maximum: number, text: string) {
  const detail = `Must be a whole number from ${minimum} to ${maximum}.`;
  return v.pipe(
    v.number(),
    v.integer(detail),
    v.minValue(minimum, detail),
    v.maxValue(maximum, detail),
    v.description(`${text} ${minimum} to ${maximum}.`),
  );
}

export const port = (text: string) => whole(1, 65_535, text);

/** One of a few words. */
export const word = <const T extends readonly string[]>(values: T, text: string) =>
  v.pipe(v.picklist(values), v.description(text));

/** Text for people, on one line, without white space around it. */
export function line(maximum: number, text: string) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(maximum, `At most ${maximum} characters.`),
    plainText,
    v.description(`${text} At most ${maximum} characters.`),
  );
}

// The characters that link names have in practice; none has a meaning in the configuration of the programs that read
// them.
const interfaceName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'Must be the name of an interface of this appliance.'),
  v.maxLength(NAME_MOST, 'Must be the name of an interface of this appliance.'),
);

/** Names of interfaces, in the operator's order. Saving checks that they exist and have an address. */
export const listenInterfaces = (text: string) =>
  v.pipe(v.array(interfaceName), v.maxLength(256), v.check(unique, 'Names an interface twice.'), v.description(text));

const nameOrNothing = (accepts: (name: string) => boolean, detail: string, text: string) =>
  v.pipe(
    v.string(),
    // Before the transformation: after it the description would not be about what is sent.
    v.description(text),
    v.transform(canonicalName),
    v.check((name) => name === '' || accepts(name), detail),
  );

/** A domain name, or empty for none; lower case without trailing dot. */
export const domainName = (text: string) =>
  nameOrNothing(isDomainName, 'Must be a domain name, or empty for none.', text);

/** The same for names of machines, which certificates and URLs carry: no underscore. */
export const hostName = (text: string) =>
  nameOrNothing((name) => hostNameFault(name) === null, 'Must be a host name, or empty for none.', text);

/** `10.10.0.0/24`; a single address is a network of its own. Null when it is neither, or has host bits. */
function canonicalNetwork(text: string): string | null {
  const trimmed = text.trim();
  const single = parseAddress(trimmed);
  if (single) return `${single.text}/${single.family === 4 ? 32 : 128}`;
  const cidr = parseCidr(trimmed);
  return cidr && networkOf(cidr) === cidr.text ? cidr.text : null;
}

/** Words in lists of clients, as in BIND: the appliance's own networks, and everybody. */
export const OWN_NETWORKS = 'localnets';
export const EVERYBODY = 'any';

const NETWORK = 'Must be a network such as 10.10.0.0/24, without host bits, or one address';
const network = (read: (text: string) => string | null, detail: string) =>
  v.pipe(
    v.string(),
    v.check((text) => read(text) !== null, detail),
    v.transform((text) => read(text) ?? text),
  );
const plainNetwork = network(canonicalNetwork, `${NETWORK}. Leave the list empty for everybody.`);

function networkOrWord(text: string): string | null {
  const word = text.trim().toLowerCase();
  return word === OWN_NETWORKS || word === EVERYBODY ? word : canonicalNetwork(text);
}

/** Networks in CIDR notation, both families, 64 at most. */
export const networks = (text: string) => networkList(plainNetwork, text);

/** Networks, or the words for the appliance's own networks and for everybody. An empty list means the own networks. */
export const networksOrWords = (text: string) =>
  networkList(network(networkOrWord, `${NETWORK}, or ${OWN_NETWORKS} or ${EVERYBODY}.`), text);

const networkList = (item: typeof plainNetwork, text: string) =>
  v.pipe(
    v.array(item),
    v.maxLength(64, 'At most 64 networks.'),
    v.check(unique, 'Names a network twice.'),
    v.description(`${text} Networks in CIDR notation or single addresses, at most 64.`),
  );

/** `192.0.2.1` or `2001:db8::1`, canonical; null when no machine on a network could have it. */
function canonicalHost(text: string): string | null {
  const address = parseAddress(text.trim());
  return address && isUnicast(address) && !isLoopback(address) && !isLinkLocal(address) ? address.text : null;
}

const hostAddress = v.pipe(
  v.string(),
  v.check((text) => canonicalHost(text) !== null, 'Must be an IP address that a machine can have on a network.'),
  v.transform((text) => canonicalHost(text) ?? text),
);

/** Addresses of machines, both families; not loopback and not link-local. */
export const addresses = (most: number, text: string) =>
  v.pipe(
    v.array(hostAddress),
    v.maxLength(most, `At most ${most} addresses.`),
    v.check(unique, 'Names an address twice.'),
    v.description(`${text} IP addresses, at most ${most}.`),
  );

/**
 * An absolute URL of one scheme, or empty; in the spelling of the URL standard.
 * `accepts`: what else is required; user, password and fragment are never accepted.
 */
export function webAddress(
  scheme: 'http:' | 'https:',
  accepts: (url: URL) => boolean,
  detail: string,
  text: string,
  word = '',
) {
  const read = (typed: string): URL | null => {
    const url = URL.parse(typed.trim());
    // The parser also accepts `http:name` and backslashes, which are mistakes.
    const whole = typed.trim().toLowerCase().startsWith(`${scheme}//`) && !typed.includes('\\');
    const plain = url !== null && whole && url.protocol === scheme && url.username === '' && url.password === '';
    return plain && !typed.includes('#') && accepts(url) ? url : null;
  };
  // Empty, or the one word that is accepted in place of a URL.
  const isWord = (typed: string): boolean => ['', word].includes(typed.trim().toLowerCase());
  return v.pipe(
    v.string(),
    v.maxLength(500, 'At most 500 characters.'),
    v.check((typed) => isWord(typed) || read(typed) !== null, detail),
    v.description(`${text} At most 500 characters.`),
    v.transform((typed) =>
      isWord(typed) ? typed.trim().toLowerCase() : (read(typed)?.href.replace(/^([^/]*\/\/[^/]*)\/$/, '$1') ?? ''),
    ),
  );
}

const PLAIN: Readonly<Record<string, (schema: AnySchema) => v.GenericSchema>> = {
  boolean: () => v.boolean(),
  string: () => v.string(),
  number: () => integerSchema,
  array: ({ item }) => v.array(answered(item as AnySchema)),
  nullable: ({ wrapped }) => v.nullable(answered(wrapped as AnySchema)),
  strict_object: ({ entries }) => v.object(answeredEntries(entries as Record<string, AnySchema>)),
};

type AnySchema = v.GenericSchema & Record<string, unknown>;

/** The schema of a member in answers, without bounds: what is accepted may widen some day. */
function answered(member: AnySchema): v.GenericSchema {
  const base = ((member.pipe as AnySchema[] | undefined)?.[0] ?? member) as AnySchema;
  const plain = PLAIN[base.type]?.(base) ?? (base as v.GenericSchema);
  const text = v.getDescription(member);
  return text === undefined ? plain : v.pipe(plain, v.description(text));
}

function answeredEntries(entries: Record<string, AnySchema>): Record<string, v.GenericSchema> {
  return Object.fromEntries(Object.entries(entries).map(([name, member]) => [name, answered(member)]));
}

const listenAddresses = v.pipe(
  v.array(v.string()),
  v.description(
    'Addresses that it answers on, IPv4 before IPv6 on each interface. Always derived from listen_interfaces; they follow when an interface is edited.',
  ),
);

export interface SettingsSchemas {
  answer: v.GenericSchema;
  update: v.GenericSchema;
}

const published = new Map<string, SettingsSchemas>();

/** `<Component>Settings` and `<Component>SettingsUpdate`: always the same objects for one document. */
export function settingsSchemas({ component: name, schema, listens, example }: AnySettings): SettingsSchemas {
  const known = published.get(name);
  if (known) return known;
  const answer = v.object({
    ...answeredEntries(schema.entries),
    ...(listens !== 'no' && { listen_addresses: listenAddresses }),
    revision: v.pipe(integerSchema, v.description('0 while nothing was ever saved and the defaults hold.')),
    updated_at: v.pipe(v.nullable(v.string()), v.description('RFC 3339 in UTC; null while nothing was ever saved.')),
  });
  const made = {
    answer: component(`${name}Settings`, answer as v.GenericSchema),
    update: component(`${name}SettingsUpdate`, v.partial(schema) as v.GenericSchema, example),
  };
  published.set(name, made);
  return made;
}
