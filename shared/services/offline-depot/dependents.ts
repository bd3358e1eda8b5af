// How the listeners of the offline depot follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'private-cloud-services',
  unit: 'private-cloud-services',
  label: 'Offline depot',
  page: pagePath('offline-depot-settings'),
  lastBinding: 'refuse',
  hostname: 'hostname',
};
