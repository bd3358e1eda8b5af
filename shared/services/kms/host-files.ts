// What key management puts on the machine.
import type { HostFiles } from '../../platform/host/host-files.ts';
import { keyFile } from '../../platform/host/key-files.ts';
import { file, isPemLine, reads, text } from '../../platform/host/unit-files.ts';
import { KEY_NAME } from './files.ts';

export const hostFiles: HostFiles = {
  unit: 'kms',
  files: [
    // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
    text(/^\/etc\/groundcrew\/kms\/manifest\.json$/, true),
    file(/^\/etc\/groundcrew\/kms\/certificate\.pem$/, reads(256), isPemLine),
    keyFile(KEY_NAME),
  ],
  daemons: [],
  companions: ['kms-question'],
  programs: {},
};
