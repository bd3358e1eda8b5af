// Port 80 of an interface belongs to the portal or to the offline depot, whichever has it first: the depot speaks TLS there. Network
// boot shares it with the portal (runtime/plain-doors.ts). Refused when it is saved; what an archive or an older release brought in
// another way is a fault of the plan.
import type { FieldError } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { savedDocuments } from '../../units/documents.ts';
import type { Listening } from '../../units/settings.ts';
import { PORTAL_PORT } from './manifest.ts';

const PORTAL = 'certificate-authority';

export type OtherService = 'the offline depot';

/** Documents with a port of their own: the member that has it, and what people call the service. */
const OTHERS: readonly (readonly [key: string, port: string, name: OtherService])[] = [
  ['private-cloud-services', 'port', 'the offline depot'],
];

type Saved = Partial<Listening> & Record<string, unknown>;

const listensOn = ({ enabled, listen_interfaces }: Saved): readonly string[] =>
  enabled === true ? (listen_interfaces ?? []) : [];

/** Interfaces at which other services have the portal's port → the service. */
export async function heldByOthers(db: Database): Promise<Map<string, OtherService>> {
  const keys = OTHERS.map(([key]) => key);
  const saved = await savedDocuments<Saved>(db, keys);
  const held = OTHERS.flatMap(([key, port, service]) => {
    const other = saved.get(key) ?? {};
    return other[port] === PORTAL_PORT ? listensOn(other).map((name) => [name, service] as const) : [];
  });
  return new Map(held);
}

/** Of the portal's own settings: at the interfaces where another service has its port. */
export async function takenFromPortal(db: Database, settings: Listening): Promise<FieldError[]> {
  if (!settings.enabled || settings.listen_interfaces.length === 0) return [];
  const held = await heldByOthers(db);
  return settings.listen_interfaces.flatMap((name, at) => {
    const service = held.get(name);
    if (service === undefined) return [];
    const detail = `Port ${PORTAL_PORT} of ${name} is used by ${service}: give that another port, or choose another interface for the portal.`;
    return [{ pointer: `/listen_interfaces/${at}`, detail }];
  });
}

/** Of the settings of a service with a port of its own: at the port, where the portal has it on one of the interfaces. */
export async function takenByPortal(
  db: Database,
  { enabled, listen_interfaces }: Listening,
  port: number,
  pointer: string,
): Promise<FieldError[]> {
  if (!enabled || port !== PORTAL_PORT) return [];
  const portal = listensOn((await savedDocuments<Saved>(db, [PORTAL])).get(PORTAL) ?? {});
  const shared = listen_interfaces.filter((name) => portal.includes(name));
  if (shared.length === 0) return [];
  const detail = `Port ${PORTAL_PORT} of ${shared.join(', ')} is used by the certificate portal: choose another port, or other interfaces for the portal.`;
  return [{ pointer, detail }];
}
