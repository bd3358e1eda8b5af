// Whose a record of the deployment helper is: the component in its ownership metadata is a host name of a catalog or none,
// never a text of its own. Pure; knows the catalogs and nothing else.

import { CATALOGS } from '../../ground/catalogs/index.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';

/** Owner of what the helper saves. */
export const SOURCE = OWNER.helper;

/** Owner of what the deployment of a service manager saves, and what that machine is in the catalogs. */
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

/** The component of a saved owner. Earlier releases wrote down the first label of whatever name a machine got. */
export function ownedComponent({ source, ref, component }: Owner): string | null {
  if (source !== SOURCE || component === null || HOSTS.has(component)) return component;
  return ref === MANAGER.ref ? MANAGER.component : null;
}
