// How the listeners and the issuer of the OpenID Connect provider follow their interfaces.
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'oidc',
  unit: 'oidc',
  label: 'OpenID Connect',
  page: '/ui/management/oidc',
  lastBinding: 'refuse',
  hostname: 'hostname',
  urls: ['issuer'],
};
