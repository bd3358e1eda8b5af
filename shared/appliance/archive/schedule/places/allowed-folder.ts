// Which folders of the appliance take copies: below `copies` in the data folder, and below the mount point of a volume of
// datastores. Nothing else: a copy must not be able to fill or replace what belongs to others.
import { sep } from 'node:path';
import type { Services } from '../../../../kernel/operation/services.ts';

export const MOUNTS = '/srv/datastores';

export type FolderShell = { settings: Pick<Services['settings'], 'data'> };

export const ownCopies = ({ settings }: FolderShell): string => `${settings.data}${sep}copies`;

/** The root that a path lies in; null: it lies in none. By its spelling alone. */
export function rootOf(shell: FolderShell, path: string): { root: string; mounted: boolean } | null {
  const own = ownCopies(shell);
  if (path.split('/').some((part) => part === '..' || part === '.')) return null;
  if (path === own || path.startsWith(`${own}/`)) return { root: own, mounted: false };
  return path.startsWith(`${MOUNTS}/`) ? { root: MOUNTS, mounted: true } : null;
}

export const foreignFolder = (shell: FolderShell): string =>
  `Must lie below ${ownCopies(shell)}, or below ${MOUNTS} where a volume is mounted.`;
