// The whole navigation as one table. A page that is not ready is not shown; neither is one that the role may not read.
import { type PageName, pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import type { PendingUnit } from '../components/strip.tsx';

export interface NavEntry {
  href: string;
  label: string;
  /** Heading above it; null stands alone. */
  group: string | null;
  /** Scope that its page asks for; null: every signed-in user. */
  permission: string | null;
  /** Units whose pending changes mark it. */
  units: readonly string[];
  ready: boolean;
}

export interface NavItem {
  href: string;
  label: string;
  group: string | null;
  pending?: boolean;
}

export const SEARCH_PATH = pagePath('search');
export const THEME_PATH = pagePath('theme');
export const SIGN_OUT_PATH = pagePath('sign-out');
export const ACCOUNT_PATH = pagePath('account');
export const EXPLORER_PATH = '/api/docs';

type Line = readonly [
  page: PageName,
  label: string,
  permission: string | null,
  units: readonly string[],
  ready: boolean,
];

const TABLE: readonly (readonly [group: string | null, lines: readonly Line[]])[] = [
  [null, [['overview', 'Overview', null, [], true]]],
  [
    'Network',
    [
      ['interfaces', 'Interfaces', 'read:interfaces', ['network'], true],
      ['vlans', 'VLANs', 'read:vlans', ['network'], true],
      ['firewall', 'Firewall', 'read:firewall', ['firewall'], true],
    ],
  ],
  [
    'Core services',
    [
      ['dns', 'DNS', 'read:dns', ['dns-dhcp'], true],
      ['dhcp', 'DHCP', 'read:dhcp', ['dns-dhcp'], true],
      ['ntp', 'NTP', 'read:ntp', ['ntp'], true],
    ],
  ],
  [
    'Trust and identity',
    [
      ['certificate-authority', 'Certificate authority', 'read:ca', ['certificate-authority'], true],
      ['kms', 'Key management', 'read:kms', ['kms'], true],
      ['ldap', 'LDAP', 'read:ldap', ['ldap'], true],
      ['oidc', 'OpenID Connect', 'read:oidc', ['oidc'], true],
    ],
  ],
  [null, [['storage', 'Storage', 'read:storage', ['storage'], true]]],
  [
    'VCF',
    [
      ['vcf-helper', 'Deployment helper', 'read:dns', [], true],
      ['offline-depot', 'Offline depot', 'read:depot', ['private-cloud-services'], true],
      ['network-boot', 'Network boot', 'read:pxe', ['network-boot'], true],
      ['vaults', 'Vaults', 'read:vaults', [], true],
    ],
  ],
  [
    'Operations',
    [
      ['apply', 'Appliance apply', 'read:apply', [], true],
      ['jobs', 'Jobs', 'read:jobs', [], true],
      ['audit-log', 'Audit log', 'read:audit', [], true],
      ['web-terminal', 'Web terminal', 'read:terminal', ['web-terminal'], true],
    ],
  ],
  [
    'Authentication',
    [
      ['users', 'Users', 'read:users', [], true],
      ['api-tokens', 'API Tokens', 'read:tokens', [], true],
    ],
  ],
  [null, [['settings', 'Settings', 'read:settings', [], true]]],
];

export const NAVIGATION: readonly NavEntry[] = TABLE.flatMap(([group, lines]) =>
  lines.map(([page, label, permission, units, ready]) => ({
    href: pageRoute(page),
    label,
    group,
    permission,
    units,
    ready,
  })),
);

/** What one user sees: ready pages that he may read, marked where saved changes wait. */
export function navigationFor(
  { scopes }: { scopes: readonly string[] },
  pending: readonly PendingUnit[],
  entries: readonly NavEntry[] = NAVIGATION,
): NavItem[] {
  const changed = new Set(pending.map(({ id }) => id));
  const may = (permission: string | null) =>
    permission === null || scopes.includes(permission) || scopes.includes(permission.replace(/^read:/, 'write:'));
  return entries
    .filter(({ ready, permission }) => ready && may(permission))
    .map(({ href, label, group, units }) => ({ href, label, group, pending: units.some((unit) => changed.has(unit)) }));
}

/** Neighbours of the same group together, in the table's order. */
export function grouped(items: readonly NavItem[]): { group: string | null; items: NavItem[] }[] {
  const groups: { group: string | null; items: NavItem[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && last.group === item.group) last.items.push(item);
    else groups.push({ group: item.group, items: [item] });
  }
  return groups;
}
