// What guests call the services.
import type { ServiceKey } from '../../shared/appliance/overview/public-services.ts';

export const SERVICE_WORDS: Record<ServiceKey, string> = {
  dns: 'Name service (DNS)',
  dhcp: 'Addresses (DHCP)',
  ntp: 'Time service (NTP)',
  certificates: 'Root certificate',
  directory: 'Directory (LDAP)',
  'offline-depot': 'Offline depot',
  'network-boot': 'Network boot',
};
