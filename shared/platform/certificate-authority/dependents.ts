// How the portal of the certificate authority follows its interfaces. Custody needs no address, so the portal just goes.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'certificate-authority',
  unit: 'certificate-authority',
  label: 'Certificate authority',
  page: pagePath('certificate-authority-settings'),
  lastBinding: 'clear',
  hostname: 'portal_hostname',
};
