// Scopes in words, and sets of them for jobs that programs are often made for.
import { type Resource, SCOPES, type Scope, withReads } from '../../shared/kernel/access/scopes.ts';

/** Resource of a scope → what a person calls it. */
export const SCOPE_NAMES: Readonly<Record<Resource | 'audit' | 'metrics' | 'logs', string>> = {
  interfaces: 'Interfaces',
  vlans: 'VLANs',
  firewall: 'Firewall',
  dns: 'DNS zones and records',
  dhcp: 'DHCP',
  ntp: 'NTP',
  ca: 'Certificate authority',
  'ca-requests': 'Certificate requests',
  kms: 'Key management',
  'management-tls': 'Management TLS',
  ldap: 'LDAP',
  oidc: 'OpenID Connect',
  depot: 'Offline depot',
  storage: 'Storage',
  pxe: 'Network boot',
  terminal: 'Web terminal',
  'terminal-recordings': 'Recordings of terminals',
  vaults: 'Vaults',
  archives: 'Archives',
  alerts: 'Alerts',
  settings: 'Settings',
  users: 'Users',
  tokens: 'API tokens',
  jobs: 'Jobs',
  apply: 'Appliance apply',
  audit: 'Audit log',
  metrics: 'Metrics',
  logs: 'Logs',
};

export interface ScopePreset {
  id: string;
  label: string;
  scopes: readonly Scope[];
}

export const SCOPE_PRESETS: readonly ScopePreset[] = [
  { id: 'read', label: 'Read everything', scopes: SCOPES.filter((scope) => scope.startsWith('read:')) },
  { id: 'dns', label: 'DNS automation', scopes: ['write:dns', 'write:apply', 'read:jobs'] },
  {
    id: 'hosts',
    label: 'Deploy hosts',
    scopes: ['write:pxe', 'write:dhcp', 'write:dns', 'read:interfaces', 'write:apply', 'read:jobs'],
  },
  {
    id: 'network',
    label: 'Network changes',
    scopes: ['write:interfaces', 'write:vlans', 'write:firewall', 'write:apply', 'read:jobs'],
  },
  { id: 'metrics', label: 'Metrics (Prometheus)', scopes: ['read:metrics'] },
  { id: 'watch', label: 'Monitoring', scopes: ['read:jobs', 'read:apply', 'read:audit', 'read:interfaces'] },
];

/** Presets that the caller's role can give whole. Reading everything is everything that the role may read. */
export function presetsFor(offered: readonly string[]): ScopePreset[] {
  const within = (scopes: readonly Scope[]) => scopes.filter((scope) => offered.includes(scope));
  return SCOPE_PRESETS.map((preset) =>
    preset.id === 'read' ? { ...preset, scopes: within(preset.scopes) } : preset,
  ).filter(({ scopes }) => scopes.length > 0 && within(scopes).length === scopes.length);
}

/** `Read everything`, or a line for each resource: `DHCP: read`, `DNS zones and records: read and write`. */
export function scopeLinesInWords(scopes: readonly string[]): string[] {
  const preset = SCOPE_PRESETS.find((each) => sameScopes(each.scopes, scopes));
  if (preset) return [preset.label];
  const all = withReads(scopes as readonly Scope[]);
  return Object.entries(SCOPE_NAMES).flatMap(([resource, name]) => {
    if (all.has(`write:${resource}` as Scope)) return [`${name}: read and write`];
    return all.has(`read:${resource}` as Scope) ? [`${name}: read`] : [];
  });
}

/** Whether the two mean the same; a write scope includes the read of its resource. */
function sameScopes(one: readonly Scope[], other: readonly string[]): boolean {
  const [these, those] = [withReads(one), withReads(other as readonly Scope[])];
  return these.size === those.size && [...these].every((scope) => those.has(scope));
}
