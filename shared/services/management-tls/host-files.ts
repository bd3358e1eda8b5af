// What the certificate of the management UI puts on the machine.
import type { HostFiles } from '../../platform/host/host-files.ts';
import { keyFile } from '../../platform/host/key-files.ts';
import { file, isPemLine, reads } from '../../platform/host/unit-files.ts';
import { KEY_NAME } from './files.ts';

export const hostFiles: HostFiles = {
  unit: 'management-tls',
  files: [file(/^\/etc\/groundcrew\/management-tls\/certificate\.pem$/, reads(256), isPemLine), keyFile(KEY_NAME)],
  daemons: [],
  companions: ['management-tls-question'],
  programs: {},
};
