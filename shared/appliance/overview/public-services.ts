// What a guest of the network may know: which services answer here, from what is in force, never from what is only saved.

import type { Services } from '../../kernel/operation/services.ts';
import { factsInForce } from '../../platform/applied/baseline.ts';
import { baselineDigest } from '../../platform/applied/unit-state.ts';
import type { Facts } from '../../platform/units/facts.ts';
import { dnsDhcp, facts, fromWords } from '../../services/dns-dhcp/facts.ts';
import { baselineOf } from '../apply/make-plan.ts';

export interface PublicDns {
  addresses: string[];
  /** Empty when there is none. */
  search_domain: string;
}

/** By the digest that names a baseline: it may hold a hundred thousand facts, and never changes. */
const known = new Map<string, PublicDns | null>();

/** Null while no name service is in force: never applied, switched off, or only rehearsed. */
export async function publicDns(services: Services): Promise<PublicDns | null> {
  if (!services.host.enforces) return null;
  const digest = await baselineDigest(services.store, 'dns-dhcp');
  if (!digest) return null;
  if (!known.has(digest)) {
    const baseline = await baselineOf(services, digest);
    known.clear();
    known.set(digest, baseline ? dnsOf(factsInForce({ facts, fromWords }, baseline)) : null);
  }
  return known.get(digest) ?? null;
}

export function dnsOf(inForce: Facts): PublicDns | null {
  if (!dnsDhcp.get(inForce, 'names')) return null;
  // DHCP answers names wherever it serves addresses.
  const listens = [...dnsDhcp.all(inForce, 'listen'), ...dnsDhcp.all(inForce, 'dhcp_listen')];
  const addresses = listens.flatMap(([, listen]) => listen.addresses);
  return { addresses, search_domain: dnsDhcp.get(inForce, 'domain') ?? '' };
}
