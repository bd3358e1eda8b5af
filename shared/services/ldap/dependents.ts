// How the listeners of the directory follow their interfaces.
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'ldap',
  unit: 'ldap',
  label: 'LDAP',
  page: '/ui/management/ldap',
  lastBinding: 'refuse',
  hostname: 'hostname',
};
