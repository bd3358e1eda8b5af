// Networks of rules, without those inside another of the list, and single addresses without a prefix.
import { type Cidr, parseCidr } from '../../ground/addresses/address.ts';
import { lookupBySubnet } from '../../ground/addresses/subnet-lookup.ts';

export type Family = 4 | 6;

/** Canonical networks of one family, without those inside another of the list. */
export function networksOf(texts: readonly string[], family: Family): string[] {
  const read = texts.flatMap((text) => parseCidr(text) ?? []).filter((cidr) => cidr.family === family);
  const cidrs = [...new Set(read)];
  // The widest first, so that the lookup finds a network itself, or a wider one that contains it.
  const lookup = lookupBySubnet(
    cidrs.toSorted((one, other) => one.prefix - other.prefix),
    (cidr) => cidr,
  );
  return cidrs.filter((cidr) => lookup.find({ ...cidr.address, value: cidr.first }) === cidr).map(networkText);
}

/** As nft lists it: `10.0.0.0/8`, and `10.0.0.1` for a single address. */
export function networkText({ text, address, prefix, family }: Cidr): string {
  return prefix === (family === 4 ? 32 : 128) ? address.text : text;
}
