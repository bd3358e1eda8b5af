// Owners of the deployment helper's records. The component of an owner is a host name of a catalog or null, never free
// text. Pure; knows the catalogs and nothing else.

import { CATALOGS } from '../../ground/catalogs/index.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';

/** Owner of what the helper saves. */
export const SOURCE = OWNER.helper;

/** Owner of records that the deployment of an SDDC Manager saves, and the machine's host name in the catalogs. */
export const MANAGER = { ref: 'sddc-manager-deployment', component: 'sddcm' } as const;

const HOSTS: ReadonlySet<string> = new Set(CATALOGS.flatMap(({ components }) => components.map(({ host }) => host)));

interface Owner {
  source: string;
  ref: string | null;
  component: string | null;
}

/** The owner of a record that the helper is about to save. @throws Error for a component that no catalog has */
export function helperOwner(ref: string, component: string | null): Owner {
  if (component === null || HOSTS.has(component)) return { source: SOURCE, ref, component };
  throw new Error('The component of an owner is no host name of a catalog.');
}

/** The component of a saved owner. Earlier releases stored the first label of a machine's name, whatever it was. */
export function ownedComponent({ source, ref, component }: Owner): string | null {
  if (source !== SOURCE || component === null || HOSTS.has(component)) return component;
  return ref === MANAGER.ref ? MANAGER.component : null;
}
