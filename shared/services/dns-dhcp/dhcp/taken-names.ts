// Names that no client of DHCP may give itself: those that programs look up without being asked to, those of the
// appliance's own services, and those that the managed records have. Address records win in their own family by themselves (dnsmasq looks at its hosts file first);
// they are listed only where a scope serves the other family, so that a record mostly costs no restart.
import type { RecordData } from '../dns/record-data.ts';
import type { DhcpDesired, ServedScope } from './desired.ts';

/**
 * Web proxy discovery and ISATAP (which the DNS server of Windows blocks for the same reason), the configuration of mail
 * programs, the appliance's usual name, and what people and scripts call the next router and the machine itself.
 */
const RESERVED = ['autodiscover', 'broadcasthost', 'gateway', 'groundcrew', 'isatap', 'localhost', 'router', 'wpad'];
const TAG = 'groundcrew-taken';
/** Beyond this many a scope's clients are not known by names of their own choice at all: a question of DHCP reads them all. */
const MOST = 2_000;
const LABEL = /^[a-z0-9_-]{1,63}$/;

type Family = ServedScope['address_family'];
const FAMILY: Partial<Record<RecordData['type'], Family>> = { A: 'ipv4', AAAA: 'ipv6' };

function split(fqdn: string): [label: string, domain: string] {
  const dot = fqdn.indexOf('.');
  return [fqdn.slice(0, dot), fqdn.slice(dot + 1)];
}

/** Labels below the scopes' domains that a lease must not have, by domain. Pure. */
export function takenLabels(
  records: readonly RecordData[],
  { scopes, own_names = [] }: Pick<DhcpDesired, 'scopes' | 'own_names'>,
): Map<string, Set<string>> {
  const served = new Map<string, Set<Family>>();
  for (const { domain, address_family } of scopes) {
    if (domain !== '') served.set(domain, (served.get(domain) ?? new Set()).add(address_family));
  }
  const known = new Map<string, Set<Family>>();
  const taken = new Map([...served.keys()].map((domain) => [domain, new Set<string>()]));
  // A service whose name lies in no managed zone has no record that would keep it.
  for (const [label, domain] of own_names.map(split)) if (LABEL.test(label)) taken.get(domain)?.add(label);
  const below = records.flatMap(({ fqdn, type }) => {
    const [label, domain] = split(fqdn);
    return served.has(domain) && LABEL.test(label) ? [{ fqdn, label, domain, family: FAMILY[type] }] : [];
  });
  for (const { fqdn, label, domain, family } of below) {
    if (family) known.set(fqdn, (known.get(fqdn) ?? new Set()).add(family));
    else taken.get(domain)!.add(label);
  }
  for (const { fqdn, label, domain } of below) {
    const families = known.get(fqdn);
    if (families && [...served.get(domain)!].some((family) => !families.has(family))) taken.get(domain)!.add(label);
  }
  return taken;
}

/** All of them. */
export const takenNames = (records: readonly RecordData[], dhcp: DhcpDesired): ReadonlySet<string> =>
  new Set([...RESERVED, ...[...takenLabels(records, dhcp).values()].flatMap((labels) => [...labels])]);

/** Directives: such a name is ignored, whole or in front of a domain; the client gets its address all the same. */
export function takenLines(records: readonly RecordData[], dhcp: DhcpDesired): string[] {
  const taken = takenLabels(records, dhcp);
  const many = ({ domain }: ServedScope) => (taken.get(domain)?.size ?? 0) > MOST;
  const listed = [...taken].filter(([, labels]) => labels.size <= MOST).flatMap(([, labels]) => [...labels]);
  const names = [...new Set([...RESERVED, ...listed])].sort();
  return [
    ...names.flatMap((name) => [`dhcp-name-match=set:${TAG},${name}`, `dhcp-name-match=set:${TAG},${name}.*`]),
    `dhcp-ignore-names=tag:${TAG}`,
    ...dhcp.scopes.filter(many).map(({ id }) => `dhcp-ignore-names=tag:${id}`),
  ];
}
