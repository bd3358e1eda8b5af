// How the web terminal follows its interfaces.
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'web-terminal',
  unit: 'web-terminal',
  label: 'Web terminal',
  page: '/ui/management/web-terminal',
  lastBinding: 'refuse',
};
