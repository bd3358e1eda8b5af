// How the listeners of the directory follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'ldap',
  unit: 'ldap',
  label: 'LDAP',
  page: pagePath('ldap'),
  lastBinding: 'refuse',
  hostname: 'hostname',
};
