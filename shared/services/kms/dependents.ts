// How the listeners of key management follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'kms',
  unit: 'kms',
  label: 'Key management',
  page: pagePath('kms'),
  lastBinding: 'refuse',
  hostname: 'hostname',
};
