// Names that no DHCP client may give itself: those that programs look up by themselves, those of the appliance's own
// services, and those of managed records. In its own family an address record has precedence anyway, since dnsmasq
// looks at its hosts file first; it is listed only where a scope serves the other family, so that a new record rarely
// needs a restart.
import type { RecordData } from '../dns/record-data.ts';
import type { DhcpDesired, ServedScope } from './desired.ts';

/**
 * Web proxy discovery and ISATAP (which Windows DNS blocks for the same reason), autoconfiguration of mail programs,
 * the appliance's usual name, and the usual names of the next router and of the machine itself.
 */
const RESERVED = ['autodiscover', 'broadcasthost', 'gateway', 'groundcrew', 'isatap', 'localhost', 'router', 'wpad'];
const TAG = 'groundcrew-taken';
/**
 * With more such names, a scope's clients get no names of their own choice at all: dnsmasq reads the list for each
 * request.
 */
const MOST = 2_000;
const LABEL = /^[a-z0-9_-]{1,63}$/;

type Family = ServedScope['address_family'];
const FAMILY: Partial<Record<RecordData['type'], Family>> = { A: 'ipv4', AAAA: 'ipv6' };

function split(fqdn: string): [label: string, domain: string] {
  const dot = fqdn.indexOf('.');
  return [fqdn.slice(0, dot), fqdn.slice(dot + 1)];
}

/** By domain of the scopes: labels that a lease must not have. Pure. */
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
  // The name of a service outside of the managed zones has no record, so it is listed here.
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

/** Directives: dnsmasq ignores such a name, alone or with a domain; the client still gets its address. */
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
