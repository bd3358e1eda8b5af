// The whole navigation as one table, with the lines of units from their manifests. A page that is not ready is not shown; neither is one that the role may not read.
import { MANIFESTS } from '../../shared/appliance/manifests.ts';
import { type PageName, pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import type { Group } from '../../shared/platform/units/manifest.ts';
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

type Line = Omit<NavEntry, 'href' | 'group'> & { page: PageName };

const own = (page: PageName, label: string, permission: string | null): Line[] => [
  { page, label, permission, units: [], ready: true },
];

/** Lines of the units that belong to a group, in the order of an apply. */
const unitsOf = (of: Group): Line[] =>
  MANIFESTS.filter(({ group }) => group === of).flatMap(({ id, pages }) =>
    pages.map(({ page, label, resource }) => ({
      page,
      label,
      permission: `read:${resource}`,
      units: [id],
      ready: true,
    })),
  );

const TABLE: readonly (readonly [group: string | null, lines: readonly Line[]])[] = [
  [
    null,
    [
      ...own('overview', 'Overview', null),
      ...own('health', 'Health', 'read:metrics'),
      ...own('alerts', 'Alerts', 'read:alerts'),
    ],
  ],
  ['Network', unitsOf('Network')],
  ['Core services', unitsOf('Core services')],
  ['Trust and identity', unitsOf('Trust and identity')],
  [null, unitsOf('Storage')],
  [
    'VCF',
    [
      ...own('vcf-helper', 'Deployment helper', 'read:dns'),
      ...unitsOf('VCF'),
      ...own('vaults', 'Vaults', 'read:vaults'),
    ],
  ],
  [
    'Operations',
    [
      ...own('apply', 'Appliance apply', 'read:apply'),
      ...own('jobs', 'Jobs', 'read:jobs'),
      ...own('audit-log', 'Audit log', 'read:audit'),
      ...own('logs', 'Logs', 'read:logs'),
      ...own('archives', 'Archives', 'read:archives'),
      ...unitsOf('Operations'),
    ],
  ],
  ['Authentication', [...own('users', 'Users', 'read:users'), ...own('api-tokens', 'API Tokens', 'read:tokens')]],
  [null, own('settings', 'Settings', 'read:settings')],
];

export const NAVIGATION: readonly NavEntry[] = TABLE.flatMap(([group, lines]) =>
  lines.map(({ page, label, permission, units, ready }) => ({
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
