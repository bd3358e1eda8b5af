// Where the pages of storage are.
import { ROOT } from '../layout/navigation.ts';

export const STORAGE = { href: `${ROOT}/storage`, label: 'Storage' };
export const VOLUMES = `${STORAGE.href}/volumes`;
export const DATASTORES = `${STORAGE.href}/datastores`;
export const FAMILY_LABELS = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
