// What the time service does to the machine.
import { exactly, type HostFiles, lookingBy, type Permitted } from '../../platform/host/host-files.ts';
import { keyFile } from '../../platform/host/key-files.ts';
import { file, isPemLine, reads } from '../../platform/host/unit-files.ts';
import { CHRONY_PIECE, isChronyLine, isClients, isCommand, isLocal, isSource } from './chrony-grammar.ts';

const CHRONYD = reads(CHRONY_PIECE - 1);
const ASK = '-c -N -h /run/groundcrew/chrony/chronyd.sock';
const asks = exactly(`${ASK} tracking`, `${ASK} sources -a`, `${ASK} serverstats`, `${ASK} reload sources`);
/** `-m`: each of the other arguments is a command. */
const tells: Permitted = (args) => args.slice(0, 5).join(' ') === `${ASK} -m` && args.slice(5).every(isCommand);

export const hostFiles: HostFiles = {
  unit: 'ntp',
  files: [
    file(/^\/etc\/groundcrew\/chrony\/chrony\.conf$/, CHRONYD, isChronyLine),
    file(/^\/etc\/groundcrew\/chrony\/conf\.d\/clients\.conf$/, CHRONYD, isClients),
    file(/^\/etc\/groundcrew\/chrony\/conf\.d\/local\.conf$/, CHRONYD, isLocal),
    file(/^\/etc\/groundcrew\/chrony\/sources\/groundcrew\.sources$/, CHRONYD, isSource),
    file(/^\/etc\/groundcrew\/chrony\/nts\.pem$/, CHRONYD, isPemLine),
    keyFile('ntp'),
  ],
  daemons: ['groundcrew-chronyd.service'],
  companions: ['ntp-question'],
  programs: { chronyc: (args, input, fits) => asks(args, input, fits) || tells(args, input, fits) },
  rehearses: { chronyd: lookingBy('-p') },
};
