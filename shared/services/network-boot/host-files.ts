// What network boot does to the machine.
import { DNSMASQ_PIECE, isBootDirective } from '../../platform/host/dnsmasq-grammar.ts';
import { exactly, type HostFiles, lookingBy } from '../../platform/host/host-files.ts';
import { file, reads, text } from '../../platform/host/unit-files.ts';

const FIRST_PROGRAMS = ['undionly.kpxe', 'snponly.efi'];
const TFTP_FOLDER = '/var/lib/groundcrew/tftp';
const IPXE_FOLDER = '/usr/lib/ipxe';

export const hostFiles: HostFiles = {
  unit: 'network-boot',
  files: [
    file(/^\/etc\/groundcrew\/dnsmasq\.d\/network-boot\.conf$/, reads(DNSMASQ_PIECE), isBootDirective),
    // Read by no program: they tell people what the folders are for.
    text(/^\/etc\/groundcrew\/dnsmasq\.d\/README$|^\/var\/lib\/groundcrew\/tftp\/README$/, false),
    // Read by the service alone, which gains nothing by a changed file that it could not do anyway.
    text(/^\/etc\/groundcrew\/network-boot\/manifest\.json$/, true),
  ],
  daemons: [],
  companions: ['boot-question'],
  programs: {
    // Copies Debian's programs to the folder of TFTP.
    install: exactly(`-m 0644 -t ${TFTP_FOLDER} ${FIRST_PROGRAMS.map((name) => `${IPXE_FOLDER}/${name}`).join(' ')}`),
    sync: exactly(FIRST_PROGRAMS.map((name) => `${TFTP_FOLDER}/${name}`).join(' ')),
    test: exactly(...FIRST_PROGRAMS.flatMap((name) => [`-r ${IPXE_FOLDER}/${name}`, `-s ${TFTP_FOLDER}/${name}`])),
  },
  rehearses: { dnsmasq: lookingBy('--test', '--version'), test: () => true },
};
