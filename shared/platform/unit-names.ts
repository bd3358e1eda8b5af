// The units: their ids in apply order, and what people call them.

/** The units in the order in which an apply enforces them. */
export const UNIT_IDS = [
  'network',
  'firewall',
  'dns-dhcp',
  'ntp',
  'certificate-authority',
  'kms',
  'ldap',
  'oidc',
  'private-cloud-services',
  'storage',
  'network-boot',
  'web-terminal',
] as const;
export type UnitId = (typeof UNIT_IDS)[number];

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
