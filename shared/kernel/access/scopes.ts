// Scopes and roles: one table each. A write scope includes the read of the same resource.

import { UNIT_RESOURCES } from '../generated/units.ts';

/** Resources that no unit brings. */
const OWN = [
  'vaults',
  'settings',
  'users',
  'tokens',
  'jobs',
  'apply',
  'archives',
  'terminal-recordings',
  'alerts',
] as const;
export type Resource = keyof typeof UNIT_RESOURCES | (typeof OWN)[number];
const OF_UNITS = Object.keys(UNIT_RESOURCES) as (keyof typeof UNIT_RESOURCES)[];
const RESOURCES: readonly Resource[] = [...OF_UNITS, ...OWN];
export type Scope = `read:${Resource}` | `write:${Resource}` | 'read:audit' | 'read:metrics' | 'read:logs';

/** What every role may watch, and nobody writes. */
const WATCHED = ['read:audit', 'read:metrics'] as const satisfies readonly Scope[];

/** Lines of daemons may name people, machines and what they looked for: for administrators alone, and nobody writes them. */
const OF_ADMINISTRATORS = ['read:logs'] as const satisfies readonly Scope[];

export const SCOPES: readonly Scope[] = [
  ...RESOURCES.flatMap((resource): Scope[] => [`read:${resource}`, `write:${resource}`]),
  ...WATCHED,
  ...OF_ADMINISTRATORS,
];

/** Where a session is one. That of the one plane is nothing on the other. */
export type SessionPlane = 'management' | 'public';

export const ROLES = ['admin', 'service-admin', 'network-admin', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const NETWORK: readonly Resource[] = OF_UNITS.filter((resource) => UNIT_RESOURCES[resource] === 'network-admin');
const ADMIN_ONLY: readonly Resource[] = ['users', 'vaults', 'archives', 'terminal-recordings'];
/**
 * Every writing role may follow jobs, manage tokens of its own reach, and run the reviewed apply. An apply concerns the
 * whole appliance: its plan shows all that will be enforced, whoever edited it.
 */
const OPERATING: readonly Resource[] = ['tokens', 'jobs', 'apply'];
const services = RESOURCES.filter((resource) => ![...NETWORK, ...ADMIN_ONLY].includes(resource));
const readable = RESOURCES.filter((resource) => !ADMIN_ONLY.includes(resource));

const reads = (resources: readonly Resource[]) => resources.map((resource): Scope => `read:${resource}`);
const writes = (resources: readonly Resource[]) => resources.map((resource): Scope => `write:${resource}`);

const ROLE_SCOPES: Record<Role, ReadonlySet<Scope>> = {
  admin: new Set(SCOPES),
  'service-admin': withReads([...writes(services), ...WATCHED]),
  'network-admin': withReads([...writes([...NETWORK, ...OPERATING]), 'read:settings', 'read:alerts', ...WATCHED]),
  viewer: new Set<Scope>([...reads(readable), ...WATCHED]),
};

export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  return ROLE_SCOPES[role];
}

/**
 * What a session reaches: on the public pages requests for certificates, as far as the role has them, and nothing that it may
 * do besides.
 */
export function scopesOfSession(role: Role, plane: SessionPlane): ReadonlySet<Scope> {
  const all = scopesOfRole(role);
  return plane === 'public' ? new Set([...all].filter((scope) => scope.endsWith(':ca-requests'))) : all;
}

/** Adds to each write scope the read of the same resource. */
export function withReads(scopes: Iterable<Scope>): ReadonlySet<Scope> {
  const all = new Set<Scope>(scopes);
  for (const scope of [...all]) if (scope.startsWith('write:')) all.add(`read:${scope.slice(6)}` as Scope);
  return all;
}

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}
