// What key management puts on the machine.
import type { HostFiles } from '../../platform/host/host-files.ts';
import { text } from '../../platform/host/unit-files.ts';

export const hostFiles: HostFiles = {
  unit: 'kms',
  // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
  files: [text(/^\/etc\/groundcrew\/kms\/manifest\.json$/, true)],
  daemons: [],
  companions: ['kms-question'],
  programs: {},
};
