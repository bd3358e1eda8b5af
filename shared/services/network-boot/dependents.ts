// How the listeners and the boot URL of network boot follow their interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { ServiceDependents } from '../../platform/interfaces/refresh/snapshot.ts';

export const dependents: ServiceDependents = {
  key: 'network-boot',
  unit: 'network-boot',
  label: 'Network boot',
  page: pagePath('network-boot-settings'),
  lastBinding: 'refuse',
  hostname: 'hostname',
  urls: ['uefi_http_url'],
};
