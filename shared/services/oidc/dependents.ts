// How the listeners and the issuer of the OpenID Connect provider follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'oidc',
  unit: 'oidc',
  label: 'OpenID Connect',
  page: pagePath('oidc'),
  lastBinding: 'refuse',
  hostname: 'hostname',
  urls: ['issuer'],
};
