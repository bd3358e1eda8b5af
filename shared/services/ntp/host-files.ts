// What the time service does to the machine.
import { exactly, type HostFiles } from '../../platform/host/host-files.ts';
import { file, reads } from '../../platform/host/unit-files.ts';
import { CHRONY_PIECE, isChronyLine, isSource } from './chrony-grammar.ts';

const CHRONYD = reads(CHRONY_PIECE - 1);
const ASK = '-c -N -h /run/groundcrew/chrony/chronyd.sock';

export const hostFiles: HostFiles = {
  unit: 'ntp',
  files: [
    file(/^\/etc\/groundcrew\/chrony\/chrony\.conf$/, CHRONYD, isChronyLine),
    file(/^\/etc\/groundcrew\/chrony\/sources\/groundcrew\.sources$/, CHRONYD, isSource),
  ],
  daemons: ['groundcrew-chronyd.service'],
  companions: ['ntp-question'],
  programs: { chronyc: exactly(`${ASK} tracking`, `${ASK} sources -a`, `${ASK} reload sources`) },
};
