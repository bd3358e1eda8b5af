// Services that answer over TLS at the same address and port are told apart by their host names, and so is the management
// UI, which has its own names and the bare address there. Refused when it is saved; what an archive or an older release
// brought in another way is a fault of the plan.
import type { FieldError } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Settings } from '../../kernel/operation/services.ts';
import { loadInterfaces, type NetworkInterface } from '../interfaces/interface.ts';
import { effectiveManagementListeners } from '../interfaces/management-listener.ts';
import { savedDocuments } from './documents.ts';
import type { Listening } from './settings.ts';

/** Documents of services that share a port by name: with the members `hostname` and `port`. */
const SHARING: Readonly<Record<string, string>> = {
  'private-cloud-services': 'the offline depot',
  oidc: 'the OpenID Connect provider',
};
/** Document with the names for which the management UI gets its certificate. */
const MANAGEMENT_TLS = 'management-tls';

export interface Named extends Listening {
  hostname: string;
  port: number;
}

/** Where the management UI is, and what it is called. */
export type ManagementPlace = Pick<Settings, 'management_port' | 'management_tls' | 'management_names'>;

/** Sentences on what else answers at a chosen interface and port, and can't be told apart. Empty: nothing does. */
export async function clashesOf(
  db: Database,
  key: string,
  settings: Named,
  place: ManagementPlace,
  known?: readonly NetworkInterface[],
): Promise<string[]> {
  if (!settings.enabled || settings.listen_interfaces.length === 0) return [];
  const rows = known ?? (await loadInterfaces(db));
  type Saved = Partial<Named> & { names?: readonly string[] };
  const others = await savedDocuments<Saved>(db, [...Object.keys(SHARING), MANAGEMENT_TLS]);
  const services = [...others].flatMap(([other, saved]) =>
    other === key || other === MANAGEMENT_TLS ? [] : withService(settings, other, saved),
  );
  const management_names = [...(place.management_names ?? []), ...(others.get(MANAGEMENT_TLS)?.names ?? [])];
  return [...withManagement(settings, { ...place, management_names }, rows), ...services];
}

/** The same as faults of the settings that are being saved. */
export async function namesTaken(
  db: Database,
  key: string,
  settings: Named,
  place: ManagementPlace,
): Promise<FieldError[]> {
  const clashes = await clashesOf(db, key, settings, place);
  return clashes.map((detail) => ({ pointer: '/hostname', detail }));
}

/** Faults of names that the management UI is to go by: a service has one already, where the two share a port. One statement. */
export async function namesOfServices(
  db: Database,
  names: readonly { pointer: string; name: string }[],
  { management_tls, management_port: port }: ManagementPlace,
  rows: readonly NetworkInterface[],
): Promise<FieldError[]> {
  if (management_tls !== true) return [];
  const listens = new Set(effectiveManagementListeners(rows).map((listener) => listener.interface));
  const services = await savedDocuments<Partial<Named>>(db, Object.keys(SHARING));
  return names.flatMap(({ pointer, name }) =>
    [...services].flatMap(([key, { enabled, hostname, port: at, listen_interfaces = [] }]) => {
      if (enabled !== true || at !== port || hostname?.toLowerCase() !== name.toLowerCase()) return [];
      const shared = listen_interfaces.filter((each) => listens.has(each)).join(', ');
      if (shared === '') return [];
      const detail = `${name} is the name of ${SHARING[key]}, which answers at port ${port} of ${shared} too: choose another name, or give that service another host name or port first.`;
      return [{ pointer, detail }];
    }),
  );
}

/** In plain HTTP, nobody says which name is asked for before it is too late: that the unit's own check refuses. */
function withManagement(
  { hostname, port, listen_interfaces }: Named,
  place: ManagementPlace,
  rows: readonly NetworkInterface[],
): string[] {
  if (place.management_tls !== true || port !== place.management_port) return [];
  const listens = new Set(effectiveManagementListeners(rows).map((listener) => listener.interface));
  const shared = listen_interfaces.filter((name) => listens.has(name)).join(', ');
  if (shared === '') return [];
  if (hostname === '')
    return [
      `The management UI answers at port ${port} of ${shared} too: choose a host name, by which the two are told apart, or another port.`,
    ];
  if (!place.management_names?.includes(hostname.toLowerCase())) return [];
  return [
    `${hostname} is a name of the management UI, which answers at port ${port} of ${shared} too: choose another host name, or another port.`,
  ];
}

function withService({ hostname, port, listen_interfaces }: Named, key: string, other: Partial<Named>): string[] {
  if (hostname === '' || other.enabled !== true || other.port !== port) return [];
  if (other.hostname?.toLowerCase() !== hostname.toLowerCase()) return [];
  const shared = listen_interfaces.filter((name) => other.listen_interfaces?.includes(name)).join(', ');
  if (shared === '') return [];
  return [
    `${hostname} is the name of ${SHARING[key]} at port ${port} of ${shared} as well: choose another host name, or another port.`,
  ];
}
