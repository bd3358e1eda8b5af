// How the listeners of key management follow their interfaces.
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'kms',
  unit: 'kms',
  label: 'Key management',
  page: '/ui/management/kms',
  lastBinding: 'refuse',
  hostname: 'hostname',
};
