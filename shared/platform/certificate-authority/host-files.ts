// What the certificate portal puts on the machine.
import type { HostFiles } from '../host/host-files.ts';
import { text } from '../host/unit-files.ts';
import { consoleFile } from './portal/console.ts';

export const hostFiles: HostFiles = {
  unit: 'certificate-authority',
  // The manifest is read by the service alone, which gains nothing by a changed file that it could not do anyway.
  files: [text(/^\/etc\/groundcrew\/certificate-authority\/manifest\.json$/, true), consoleFile],
  daemons: [],
  companions: ['portal-question'],
  programs: {},
};
