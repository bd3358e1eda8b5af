// Networks of rules: one of another within the same list would be said twice, and a single address has no prefix.
import { type Cidr, contains, parseCidr } from '../../network/address.ts';

export type Family = 4 | 6;

/** Canonical networks of one family, without those that lie inside another of the list. */
export function networksOf(texts: readonly string[], family: Family): string[] {
  const cidrs = texts.flatMap((text) => parseCidr(text) ?? []).filter((cidr) => cidr.family === family);
  const wide = [...cidrs].sort((one, other) => one.prefix - other.prefix);
  const kept = wide.filter(
    (cidr, at) => !wide.slice(0, at).some((other) => contains(other, cidr.address) && other.prefix <= cidr.prefix),
  );
  return cidrs.filter((cidr, at) => kept.includes(cidr) && cidrs.indexOf(cidr) === at).map(networkText);
}

/** As nft lists it: `10.0.0.0/8`, and `10.0.0.1` for a single address. */
export function networkText({ text, address, prefix, family }: Cidr): string {
  return prefix === (family === 4 ? 32 : 128) ? address.text : text;
}
