// What OpenID Connect puts on the machine.
import type { HostFiles } from '../../platform/host/host-files.ts';
import { keyFile } from '../../platform/host/key-files.ts';
import { file, isPemLine, reads, text } from '../../platform/host/unit-files.ts';
import { KEY_NAME } from './files.ts';

export const hostFiles: HostFiles = {
  unit: 'oidc',
  files: [
    // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
    text(/^\/etc\/groundcrew\/oidc\/manifest\.json$/, true),
    file(/^\/etc\/groundcrew\/oidc\/certificate\.pem$/, reads(256), isPemLine),
    keyFile(KEY_NAME),
  ],
  daemons: [],
  companions: ['oidc-question'],
  programs: {},
};
