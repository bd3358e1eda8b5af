// Ports that are opened for services without interfaces of their own, and what people call whatever is open.
import { UNIT_NAMES } from '../../kernel/generated/units.ts';

export const MANAGEMENT_UI = 'management-ui';
/** What people call what answers. */
export const LABELS: Record<string, string> = {
  ...UNIT_NAMES,
  'dns-dhcp': 'DNS',
  'certificate-authority': 'Certificate portal',
  [MANAGEMENT_UI]: 'Management UI',
  'public-pages': 'Public pages',
  'own-addresses': 'Own addresses',
  dhcp: 'DHCP',
  storage: 'Datastore',
};
/** What people call what is open; `name`: that of a datastore. */
export const openingLabel = (service: string, name?: string): string =>
  [LABELS[service] ?? service, name].filter((part) => part !== undefined).join(' ');

/** Documents without interfaces of their own that decide what is opened all the same. */
export const OTHER_KEYS = ['dhcp', 'storage', 'firewall'] as const;

/** Ports of NFS by version: 4.1 needs one; 3 also asks the port mapper, and mounts by a protocol of its own. */
export const NFS_PORTS: Readonly<Record<string, readonly { protocol: 'tcp' | 'udp'; ports: number[] }[]>> = {
  '4.1': [{ protocol: 'tcp', ports: [2049] }],
  '3': [
    { protocol: 'tcp', ports: [111, 2049, 20_048] },
    { protocol: 'udp', ports: [111] },
  ],
};
