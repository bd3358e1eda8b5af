// How the listeners of the name service follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'dns-dhcp',
  unit: 'dns-dhcp',
  label: 'DNS',
  page: pagePath('dns-settings'),
  lastBinding: 'refuse',
  clients: ['allowed_clients'],
};
