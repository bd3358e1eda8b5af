// Where the pages of storage are.
import { pagePath } from '../../shared/ground/page-paths.ts';

export const STORAGE = { href: pagePath('storage'), label: 'Storage' };
export const VOLUMES = `${STORAGE.href}/volumes`;
export const DISKS = pagePath('storage-disks');
export const DATASTORES = `${STORAGE.href}/datastores`;
export const FAMILY_LABELS = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
