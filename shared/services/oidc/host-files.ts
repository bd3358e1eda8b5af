// What OpenID Connect puts on the machine.
import type { HostFiles } from '../../platform/host/host-files.ts';
import { text } from '../../platform/host/unit-files.ts';

export const hostFiles: HostFiles = {
  unit: 'oidc',
  // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
  files: [text(/^\/etc\/groundcrew\/oidc\/manifest\.json$/, true)],
  daemons: [],
  companions: ['oidc-question'],
  programs: {},
};
