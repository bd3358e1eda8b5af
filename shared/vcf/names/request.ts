// From what an operator wrote to the names of a deployment and the networks to number them in. Pure; every fault points
// at its field.
import {
  type Cidr,
  type Family,
  isLinkLocal,
  isUnicast,
  networkOf,
  overlaps,
  parseCidr,
} from '../../ground/addresses/address.ts';
import { canonicalName, nameFault } from '../../ground/addresses/domain-name.ts';
import type { Catalog, CatalogComponent } from '../../ground/catalogs/catalog.ts';
import { CATALOGS, catalogOf } from '../../ground/catalogs/index.ts';
import type { FieldError } from '../../ground/problems.ts';

/** As typed. */
export interface NamesInput {
  catalog: string;
  prefix?: string | undefined;
  suffix?: string | undefined;
  domain: string;
}

export interface GenerateInput extends NamesInput {
  start_ipv4_cidr?: string | undefined;
  start_ipv6_cidr?: string | undefined;
}

/** One name of a deployment. */
export interface WantedName extends CatalogComponent {
  fqdn: string;
}

/** Canonical: everything in lower case. */
export interface GenerateRequest {
  catalog: Catalog;
  prefix: string;
  suffix: string;
  domain: string;
  names: readonly WantedName[];
  /** First address and its network, at most one of each family, IPv4 first. None: the request is about names only. */
  starts: readonly Cidr[];
}

const MOST_LABEL = 63;
const PART = /^[a-z0-9-]*$/i;

/** Reads the typed values; with any fault there is no request. `start`: whether a first address is needed. */
export function readRequest(
  input: GenerateInput,
  { start }: { start: 'needed' | 'optional' },
): { request: GenerateRequest | null; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const fault = (pointer: string, detail: string | null) => detail !== null && errors.push({ pointer, detail });
  const catalog = catalogOf(input.catalog);
  if (!catalog) fault('/catalog', `Must be one of ${CATALOGS.map(({ label }) => label).join(', ')}.`);
  fault('/prefix', partFault(input.prefix));
  fault('/suffix', partFault(input.suffix));
  const [prefix, suffix] = [canonicalPart(input.prefix), canonicalPart(input.suffix)];
  const domain = canonicalName(input.domain);
  if (prefix.startsWith('-')) fault('/prefix', 'A name must not begin with a hyphen.');
  if (suffix.endsWith('-')) fault('/suffix', 'A name must not end with a hyphen.');
  fault('/domain', domain === '' ? 'Choose one of the managed zones.' : machinesFault(domain));
  const starts = readStarts(input, start, fault);
  if (!catalog || errors.length > 0) return { request: null, errors };
  const names = catalog.components.map((component) => ({
    ...component,
    fqdn: `${prefix}${component.host}${suffix}.${domain}`,
  }));
  fault(suffix.length > prefix.length ? '/suffix' : '/prefix', lengthFault(names));
  if (errors.length > 0) return { request: null, errors };
  return { request: { catalog, prefix, suffix, domain, names, starts }, errors };
}

/** A trailing dot stays and is refused: people who write one mean a subdomain. */
const canonicalPart = (text = ''): string => text.trim().toLowerCase();

/** Judged as typed: some letters of other scripts become ASCII in lower case. */
function partFault(text = ''): string | null {
  const typed = text.trim();
  if (typed.length > MOST_LABEL) return `At most ${MOST_LABEL} characters.`;
  return PART.test(typed) ? null : 'Letters, digits and hyphens only.';
}

/** Why machines cannot have names in a zone, however well it is managed; null when they can. */
export function machinesFault(domain: string): string | null {
  if (/(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(domain))
    return 'Below in-addr.arpa and ip6.arpa there are only PTR records.';
  return nameFault(domain, 'host');
}

/** The longest name decides; a label has at most 63 characters and a name 253 (RFC 1035, 2.3.4). */
function lengthFault(names: readonly WantedName[]): string | null {
  const { host, fqdn } = names.reduce((longest, name) => (name.fqdn.length > longest.fqdn.length ? name : longest));
  const label = fqdn.indexOf('.');
  if (label > MOST_LABEL)
    return `Too long: with ${host} it makes a label of ${label} characters, and a label has at most ${MOST_LABEL}.`;
  return nameFault(fqdn, 'host');
}

const STARTS = [
  { family: 4, member: 'start_ipv4_cidr', example: '10.10.20.20/24' },
  { family: 6, member: 'start_ipv6_cidr', example: 'fd00:10:20::20/64' },
] as const satisfies readonly { family: Family; member: keyof GenerateInput; example: string }[];

function readStarts(
  input: GenerateInput,
  start: 'needed' | 'optional',
  fault: (pointer: string, detail: string) => void,
): Cidr[] {
  const starts: Cidr[] = [];
  for (const { family, member, example } of STARTS) {
    const text = (input[member] ?? '').trim().toLowerCase();
    if (text === '') continue;
    const cidr = parseCidr(text);
    const detail = cidr ? startFault(cidr, family) : `Must be an address with its prefix length, such as ${example}.`;
    if (detail !== null) fault(`/${member}`, detail);
    else if (cidr) starts.push(cidr);
  }
  const typed = STARTS.some(({ member }) => (input[member] ?? '').trim() !== '');
  if (start === 'needed' && !typed) fault('/start_ipv4_cidr', 'Give a first address of either family, or one of each.');
  return starts;
}

/** Blocks that no network of machines may overlap, so that allocation in order never gets there. */
const ELSEWHERE = ['127.0.0.0/8', '224.0.0.0/3', 'fe80::/10', 'ff00::/8'].map((text) => parseCidr(text)!);

/** Longest prefixes of a network that has addresses for hosts besides those that are never given. */
const LONGEST = { 4: 30, 6: 127 } as const;

function startFault(cidr: Cidr, family: Family): string | null {
  if (cidr.family !== family)
    return `This is an IPv${cidr.family} address; it belongs into the field for IPv${cidr.family}.`;
  if (!isUnicast(cidr.address)) return 'Must be an address that one machine can have.';
  if (family === 6 && isLinkLocal(cidr.address)) return 'A link-local address means nothing without its link.';
  const elsewhere = ELSEWHERE.find((block) => overlaps(cidr, block));
  if (elsewhere) return `A /${cidr.prefix} reaches into ${elsewhere.text}. Write the prefix length of the network.`;
  if (cidr.prefix <= LONGEST[family]) return null;
  return `A /${cidr.prefix} has no address to give. Write the prefix length of the network, such as ${networkOf(cidr).replace(/\d+$/, family === 4 ? '24' : '64')}.`;
}
