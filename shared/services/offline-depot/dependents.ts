// How the listeners of the offline depot follow their interfaces.
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'private-cloud-services',
  unit: 'private-cloud-services',
  label: 'Offline depot',
  page: '/ui/management/offline-depot/settings',
  lastBinding: 'refuse',
  hostname: 'hostname',
};
