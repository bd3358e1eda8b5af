// What the OVF properties of an appliance say about its name, its addresses, and who answers for them. Every release
// names them a little otherwise (`vami.ip0.SDDC-Manager`, `ip0`): what counts is one part of the key. Pure.
import { parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName } from '../../ground/addresses/domain-name.ts';
import type { OvfProperty } from '../../ground/ova/types.ts';

export interface Addressing {
  /** Null when no property has a full name. */
  fqdn: string | null;
  addresses: { key: string; family: 4 | 6; address: string }[];
  name_servers: string[];
  /** Names or addresses. */
  ntp_servers: string[];
  /** Property that is the password of admin@local. */
  local_password_key: string | null;
}

type Keyed = Pick<OvfProperty, 'key'>;

/** A part of the key, without its class and instance. */
export const PARTS = {
  hostname: /^(?:hostname|fqdn|host_name)$/,
  address: /^(?:ip[_-]?(?:v[46])?[_-]?(?:addr(?:ess)?)?[_-]?\d|ip[_-]?address|ipv[46](?:[_-]?addr(?:ess)?)?)$/,
  domain: /^domain(?:[_-]?name)?$/,
  name_servers: /^dns(?:[_-]?servers?)?$/,
  ntp_servers: /^ntp(?:[_-]?servers?)?$/,
  netmask: /^(?:net[_-]?mask|prefix)[_-]?\d?$/,
  gateway: /^(?:default[_-]?)?gateway[_-]?\d?$/,
  search_path: /^search[_-]?path$/,
  address_version: /^ip[_-]?(?:address[_-]?)?version$/,
  local_password: /^local[_-]?user[_-]?password$/,
} as const;

export const has = (pattern: RegExp) => (property: Keyed) =>
  property.key
    .toLowerCase()
    .split('.')
    .some((part) => pattern.test(part));

const LIST = /[\s,;]+/;

/** @param values full key → value, defaults among them */
export function addressingOf(
  { properties }: { properties: readonly Keyed[] },
  values: ReadonlyMap<string, string>,
): Addressing {
  const saidBy = ({ key }: Keyed) => (values.get(key) ?? '').trim();
  const first = (pattern: RegExp) => properties.filter(has(pattern)).find((one) => saidBy(one) !== '') ?? null;
  const listed = (pattern: RegExp) => [
    ...new Set(properties.filter(has(pattern)).flatMap((one) => saidBy(one).split(LIST).filter(Boolean))),
  ];
  const hostname = first(PARTS.hostname);
  const domain = first(PARTS.domain);
  const addresses = properties.filter(has(PARTS.address)).flatMap((property) => {
    const parsed = parseAddress(saidBy(property).split('/')[0]!);
    return parsed ? [{ key: property.key, family: parsed.family, address: parsed.text }] : [];
  });
  return {
    fqdn: hostname && wholeName(saidBy(hostname), domain && saidBy(domain)),
    addresses,
    name_servers: listed(PARTS.name_servers).flatMap((text) => parseAddress(text)?.text ?? []),
    ntp_servers: listed(PARTS.ntp_servers),
    local_password_key: properties.find(has(PARTS.local_password))?.key ?? null,
  };
}

function wholeName(hostname: string, domain: string | null): string | null {
  if (parseAddress(hostname)) return null;
  const name = canonicalName(hostname);
  if (name.includes('.')) return name;
  return name !== '' && domain ? `${name}.${canonicalName(domain)}` : null;
}
