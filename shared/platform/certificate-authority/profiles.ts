// What a certificate may be used for: the profiles, and the names that each may be made out for. Rules only; what becomes
// of a profile in a certificate is in sign.ts.
import { contains, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import type { FieldError } from '../../ground/problems.ts';

export const PROFILES = ['server', 'client', 'server-client', 'vmware', 'subordinate'] as const;
export type ProfileName = (typeof PROFILES)[number];

export interface Profile {
  name: ProfileName;
  /** `*.lab.example`, `vc01.lab.example`, `10.0.0.0/8`; none: every name. */
  allowed_names: string[];
  /** Null: as the settings say. */
  validity_days: number | null;
  revision: number;
}

/** Patterns of one profile. */
export const ALLOWED_MOST = 100;

/** What is wrong with a pattern, or null. */
export function patternFault(pattern: string): string | null {
  if (parseAddress(pattern) ?? parseCidr(pattern)) return null;
  const name = canonicalName(pattern.startsWith('*.') ? pattern.slice(2) : pattern);
  return hostNameFault(name) === null
    ? null
    : 'Must be a host name, *. and a domain, an address, or a network such as 10.0.0.0/8.';
}

export function canonicalPattern(pattern: string): string {
  const network = parseCidr(pattern);
  if (network) return network.text;
  const address = parseAddress(pattern);
  return address ? address.text : canonicalName(pattern);
}

/** `*.lab.example` stands for every name below lab.example, however deep. */
export function isAllowed(name: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const address = parseAddress(name);
  return allowed.some((pattern) => {
    if (address) {
      const network = parseCidr(pattern);
      return network ? contains(network, address) : pattern === address.text;
    }
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : pattern === name;
  });
}

/** Names that a profile may not be issued for, each at its place. */
export function foreignNames(
  names: readonly string[],
  { name, allowed_names }: Pick<Profile, 'name' | 'allowed_names'>,
): FieldError[] {
  return names.flatMap((wanted, at) =>
    isAllowed(wanted, allowed_names)
      ? []
      : [
          {
            pointer: `/names/${at}`,
            detail: `The profile ${name} is not issued for ${wanted}: it allows ${allowed_names.join(', ')}.`,
          },
        ],
  );
}
