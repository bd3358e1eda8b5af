// What people call the units, in sentences and headings about what follows an edit.
import type { UnitId } from '../units/unit.ts';

export const UNIT_NAMES: Readonly<Record<UnitId, string>> = {
  network: 'Network',
  firewall: 'Firewall',
  'dns-dhcp': 'DNS and DHCP',
  ntp: 'NTP',
  'certificate-authority': 'Certificate authority',
  kms: 'Key management',
  ldap: 'LDAP',
  oidc: 'OpenID Connect',
  'private-cloud-services': 'Offline depot',
  storage: 'Storage',
  'network-boot': 'Network boot',
  'web-terminal': 'Web terminal',
};

/** The name of a unit; its id when this program does not know it. */
export const unitName = (id: string): string => UNIT_NAMES[id as UnitId] ?? id;
