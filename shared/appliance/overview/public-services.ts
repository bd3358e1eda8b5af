// What a guest of the network may know: which services answer here, from what is in force, never from what is only saved.

import type { Services } from '../../kernel/operation/services.ts';
import { baselineDigest } from '../../platform/applied/unit-state.ts';
import { baselineOf } from '../apply/make-plan.ts';

export interface PublicDns {
  addresses: string[];
  /** Empty when there is none. */
  search_domain: string;
}

/** By the digest that names a baseline: it may hold a hundred thousand entries, and never changes. */
const known = new Map<string, PublicDns | null>();

/** Null while no name service is in force: never applied, switched off, or only rehearsed. */
export async function publicDns(services: Services): Promise<PublicDns | null> {
  if (!services.host.enforces) return null;
  const digest = await baselineDigest(services.store, 'dns-dhcp');
  if (!digest) return null;
  if (!known.has(digest)) {
    const baseline = await baselineOf(services, digest);
    known.clear();
    known.set(digest, baseline ? dnsOf(baseline.entries) : null);
  }
  return known.get(digest) ?? null;
}

export function dnsOf(entries: ReadonlyMap<string, string>): PublicDns | null {
  if (entries.get('name service') !== 'on') return null;
  const addresses: string[] = [];
  for (const [key, value] of entries) {
    if (key.startsWith('listens on '))
      addresses.push(...value.split(', ').filter((text) => /^[0-9a-f:.]+$/.test(text)));
  }
  const domain = entries.get('search domain') ?? 'none';
  return { addresses, search_domain: domain === 'none' ? '' : domain };
}
