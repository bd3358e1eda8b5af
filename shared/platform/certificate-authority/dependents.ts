// How the portal of the certificate authority follows its interfaces. Custody needs no address, so the portal just goes.
import type { ServiceDependents } from '../interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'certificate-authority',
  unit: 'certificate-authority',
  label: 'Certificate authority',
  page: '/ui/management/certificate-authority/settings',
  lastBinding: 'clear',
  hostname: 'portal_hostname',
};
