// How the listeners of the name service follow their interfaces.
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'dns-dhcp',
  unit: 'dns-dhcp',
  label: 'DNS',
  page: '/ui/management/dns/settings',
  lastBinding: 'refuse',
  clients: ['allowed_clients'],
};
