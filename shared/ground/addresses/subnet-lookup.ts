// Finds the subnet of an address among many. Subnets are looked up by prefix length and first address, so that the cost
// depends on the number of prefix lengths, not on that of subnets.
import { type Address, BITS, type Cidr, isUsableHost } from './address.ts';

interface Placed<Item> {
  at: number;
  cidr: Cidr;
  item: Item;
}

/** Finds the item whose subnet contains an address; of several the first in the list. */
export interface SubnetLookup<Item> {
  /** Null when none does. `usable`: only where a host may have the address (see isUsableHost). */
  find(address: Address, usable?: 'usable'): Item | null;
}

/** `cidrOf` answers null for an item without a subnet, which is never found. */
export function lookupBySubnet<Item>(items: readonly Item[], cidrOf: (item: Item) => Cidr | null): SubnetLookup<Item> {
  const byPrefix = new Map<string, { shift: bigint; family: Cidr['family']; subnets: Map<bigint, Placed<Item>> }>();
  for (const [at, item] of items.entries()) {
    const cidr = cidrOf(item);
    if (cidr === null) continue;
    const { family, prefix } = cidr;
    const shift = BigInt(BITS[family] - prefix);
    const key = `${family}/${prefix}`;
    const { subnets } = byPrefix.get(key) ?? { subnets: new Map<bigint, Placed<Item>>() };
    byPrefix.set(key, { shift, family, subnets });
    // Of the same subnet twice the first is found.
    if (!subnets.has(cidr.first >> shift)) subnets.set(cidr.first >> shift, { at, cidr, item });
  }
  const lengths = [...byPrefix.values()];
  return {
    find(address, usable) {
      let best: Placed<Item> | null = null;
      for (const { shift, family, subnets } of lengths) {
        if (family !== address.family) continue;
        const found = subnets.get(address.value >> shift);
        if (!found || (best !== null && best.at < found.at)) continue;
        if (usable === undefined || isUsableHost(found.cidr, address)) best = found;
      }
      return best === null ? null : best.item;
    },
  };
}
