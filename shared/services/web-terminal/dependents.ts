// How the web terminal follows its interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'web-terminal',
  unit: 'web-terminal',
  label: 'Web terminal',
  page: pagePath('web-terminal'),
  lastBinding: 'refuse',
};
