// Ports of services without interfaces of their own, and names of everything that is opened.
import { UNIT_NAMES } from '../../kernel/generated/units.ts';

export const MANAGEMENT_UI = 'management-ui';
/** Names for people, by service or part of the appliance. */
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
/** Name of an opening; `name`: that of a datastore. */
export const openingLabel = (service: string, name?: string): string =>
  [LABELS[service] ?? service, name].filter((part) => part !== undefined).join(' ');

/** Documents without interfaces of their own that also decide what is opened. */
export const OTHER_KEYS = ['dhcp', 'storage', 'firewall'] as const;

/** Ports of NFS by version: 4.1 needs one; 3 also needs the port mapper and the mount protocol. */
export const NFS_PORTS: Readonly<Record<string, readonly { protocol: 'tcp' | 'udp'; ports: number[] }[]>> = {
  '4.1': [{ protocol: 'tcp', ports: [2049] }],
  '3': [
    { protocol: 'tcp', ports: [111, 2049, 20_048] },
    { protocol: 'udp', ports: [111] },
  ],
};
