// What the time service does to the machine.
import { exactly, type HostFiles, lookingBy } from '../../platform/host/host-files.ts';
import { keyFile } from '../../platform/host/key-files.ts';
import { file, isPemLine, reads } from '../../platform/host/unit-files.ts';
import { CHRONY_PIECE, isChronyLine, isSource } from './chrony-grammar.ts';

const CHRONYD = reads(CHRONY_PIECE - 1);
const ASK = '-c -N -h /run/groundcrew/chrony/chronyd.sock';

export const hostFiles: HostFiles = {
  unit: 'ntp',
  files: [
    file(/^\/etc\/groundcrew\/chrony\/chrony\.conf$/, CHRONYD, isChronyLine),
    file(/^\/etc\/groundcrew\/chrony\/sources\/groundcrew\.sources$/, CHRONYD, isSource),
    file(/^\/etc\/groundcrew\/chrony\/nts\.pem$/, CHRONYD, isPemLine),
    keyFile('ntp'),
  ],
  daemons: ['groundcrew-chronyd.service'],
  companions: ['ntp-question'],
  programs: { chronyc: exactly(`${ASK} tracking`, `${ASK} sources -a`, `${ASK} serverstats`, `${ASK} reload sources`) },
  rehearses: { chronyd: lookingBy('-p') },
};
