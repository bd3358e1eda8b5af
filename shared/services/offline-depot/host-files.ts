// What the offline depot puts on the machine.
import type { HostFiles } from '../../platform/host/host-files.ts';
import { text } from '../../platform/host/unit-files.ts';

export const hostFiles: HostFiles = {
  unit: 'private-cloud-services',
  // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
  files: [text(/^\/etc\/groundcrew\/offline-depot\/manifest\.json$/, true)],
  daemons: [],
  companions: ['depot-question'],
  programs: {},
};
