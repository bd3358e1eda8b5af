// From a target to the one address that is dialled. The name is looked up once, and the checked address is the one that
// is dialled, so that a name with another address next time changes nothing.
import { promises as dns } from 'node:dns';
import { parseAddress } from '../../ground/addresses/address.ts';
import { Problem } from '../../ground/problems.ts';
import {
  ADDRESS_RULES,
  dialledAddress,
  NARROW,
  PERMITTED_NETWORKS,
  refusingRule,
  type TargetPolicy,
} from './address-rules.ts';
import { serverText, type Target } from './target.ts';

/** Addresses of a name, as the resolver orders them; empty when it has none. */
export type Lookup = (host: string) => Promise<readonly { address: string }[]>;

export interface ResolvedAddress {
  /** Canonical text. */
  address: string;
  family: 4 | 6;
}

/** A name with more of them is no machine. */
const MOST_ADDRESSES = 64;
const LOOKUP_MS = 10_000;

/** The machine's own resolver: its hosts file and its name servers. */
export const systemLookup: Lookup = async (host) => dns.lookup(host, { all: true, order: 'verbatim' });

/**
 * The address to dial. Every address of the name must be permitted: which of them a later step would get is chance.
 * @throws Problem 409 `target_refused`, `remote_name_unknown` or `remote_timeout`
 */
export async function resolveTarget(
  target: Target,
  policy: TargetPolicy,
  lookup: Lookup = systemLookup,
  timeout: number = LOOKUP_MS,
): Promise<ResolvedAddress> {
  const literal = parseAddress(target.host);
  const found = literal ? [{ address: literal.text }] : await lookedUp(target, lookup, timeout);
  const addresses = found.map(({ address }) => permittedAddress(target, address, policy));
  return addresses[0]!;
}

/**
 * Holds an address that was resolved before against the policy of now.
 * @throws Problem 409 `target_refused`
 */
export function permittedAddress(target: Target, text: string, policy: TargetPolicy): ResolvedAddress {
  const address = dialledAddress(text);
  if (!address) throw targetRefused(target, '', text.includes('%') ? 'link-local' : 'unspecified');
  const rule = refusingRule(address, target.port, policy);
  if (rule) throw targetRefused(target, address.text, rule);
  return { address: address.text, family: address.family };
}

function targetRefused(target: Target, address: string, rule: keyof typeof ADDRESS_RULES): Problem {
  const leads = address === '' || address === target.host ? '' : ` (${address})`;
  const detail = `No connection is made to ${serverText(target)}${leads}: ${ADDRESS_RULES[rule]}. If it is meant, add ${NARROW.has(rule) ? 'that one address' : 'its network'} to ${PERMITTED_NETWORKS} in the settings of remote machines (allowed_networks in the API).`;
  return new Problem('target_refused', detail, { errors: [{ pointer: '/server', detail }] });
}

async function lookedUp(target: Target, lookup: Lookup, timeout: number): Promise<readonly { address: string }[]> {
  const { host } = target;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const detail = `The name servers did not answer for ${host} within ${Math.ceil(timeout / 1000)} seconds. Check the name servers of this appliance, or enter the IP address.`;
    timer = setTimeout(() => reject(new Problem('remote_timeout', detail)), timeout);
  });
  const asked = lookup(host).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof Problem ? error : nameUnknown(host, error.code);
  });
  const found = await Promise.race([asked, late]).finally(() => clearTimeout(timer));
  if (found.length === 0 || found.length > MOST_ADDRESSES) throw nameUnknown(host, undefined);
  return found;
}

function nameUnknown(host: string, code: string | undefined): Problem {
  const asked = code === 'EAI_AGAIN' ? 'no name server answered' : 'the name servers know no address of it';
  const detail = `${host} could not be resolved: ${asked}. Check the spelling and the name servers of this appliance, or enter the IP address.`;
  return new Problem('remote_name_unknown', detail, { errors: [{ pointer: '/server', detail }] });
}
