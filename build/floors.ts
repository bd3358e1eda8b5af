// The floors of `shared/` and the rooms on each, lowest first. A file may import its own room, rooms before it on the
// same floor, and every floor below; the lint rules check all imports by this list, also those of types.

/** Floor → its rooms in order. A room is a folder, or a file of its own, of that name. */
export const FLOORS = {
  /** Knows nothing of an appliance. */
  ground: [
    'problems',
    'page-paths',
    'clock',
    'machine',
    'metrics',
    'store',
    'schemas',
    'sealing',
    'addresses',
    'csv',
    'list-words',
    'json-items',
    'turns',
    'xml',
    'x509',
    'byte-source',
    'canonical-json',
    'tar',
    'age',
    'ova',
    'catalogs',
  ],
  /** How any operation runs, whatever the appliance does. */
  kernel: ['generated', 'access', 'audit', 'operation', 'jobs'],
  /** What every service depends on. */
  platform: [
    'unit-names',
    'uploads',
    'host',
    'interfaces',
    'units',
    'vaults',
    'applied',
    'certificate-authority',
    'network',
  ],
  /** One folder a service, whole. Their order is that of the alphabet: none may import another. */
  services: [
    'dns-dhcp',
    'firewall',
    'kms',
    'ldap',
    'management-tls',
    'network-boot',
    'ntp',
    'offline-depot',
    'oidc',
    'storage',
    'web-terminal',
  ],
  /** Work on remote machines. */
  vcf: [
    'connection',
    'alerts',
    'external-sign-in',
    'vcf-api',
    'automation-api',
    'vsphere',
    'names',
    'remote',
    'remote-depot',
    'key-provider',
    'automation-ldap',
    'datastore-mount',
    'scim',
    'deployment',
  ],
  /** What must know them all, and nothing below knows it. */
  appliance: [
    'generated',
    'manifests',
    'host-guard',
    'dependents',
    'refresh',
    'surroundings',
    'tags',
    'edits',
    'units',
    'settings',
    'apply',
    'states',
    'archive',
    'terminal-hosts',
    'terminal-files',
    'readiness',
    'job-kinds',
    'about-jobs',
    'continued-jobs',
    'esxi-hosts',
    'named-datastores',
    'overview',
    'metrics',
    'health',
    'logs',
  ],
} as const satisfies Record<string, readonly string[]>;

export type Floor = keyof typeof FLOORS;

const ORDER = Object.keys(FLOORS) as Floor[];
/** The floor whose rooms may not import one another at all. */
const APART: Floor = 'services';

interface Room {
  floor: Floor;
  name: string;
}

/** `shared/kernel/jobs/job.ts` → the room `jobs` on the floor `kernel`; null outside of all rooms. */
export function roomOf(path: string): Room | null {
  const [, floor = '', name = ''] = /^shared\/([^/]+)\/([^/.]+)(?:\/|\.ts$)/.exec(path) ?? [];
  const rooms: readonly string[] | undefined = FLOORS[floor as Floor];
  return rooms?.includes(name) ? { floor: floor as Floor, name } : null;
}

/** Why a file of `shared/` may not import another one; null when it may. Paths from the repository's root. */
export function upward(path: string, target: string): string | null {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (!from || !to || (from.floor === to.floor && from.name === to.name)) return null;
  if (from.floor !== to.floor) {
    return ORDER.indexOf(to.floor) > ORDER.indexOf(from.floor) ? `${from.floor} must not import ${to.floor}` : null;
  }
  if (from.floor === APART) return `${from.name} must not import ${to.name}: no service imports another`;
  const rooms: readonly string[] = FLOORS[from.floor];
  return rooms.indexOf(to.name) > rooms.indexOf(from.name) ? `${from.name} must not import ${to.name}` : null;
}
