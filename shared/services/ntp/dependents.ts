// How the listeners of the time service follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'ntp',
  unit: 'ntp',
  label: 'NTP',
  page: pagePath('ntp-settings'),
  lastBinding: 'refuse',
  hostname: 'hostname',
  clients: ['allowed_clients'],
};
