// Files and programs of the unit on the machine.
import {
  DNSMASQ_PIECE,
  isDirective,
  isHostsLine,
  isLease,
  isOption,
  isReservation,
  isServer,
} from '../../platform/host/dnsmasq-grammar.ts';
import { type HostFiles, lookingBy } from '../../platform/host/host-files.ts';
import { file, type Reader, reads } from '../../platform/host/unit-files.ts';

const DNSMASQ = reads(DNSMASQ_PIECE);
/** dnsmasq reads this file word by word; a hundred thousand names may have one address. */
const NAMES: Reader = { piece: null, most: 32 << 20 };

export const hostFiles: HostFiles = {
  unit: 'dns-dhcp',
  files: [
    file(/^\/etc\/groundcrew\/dnsmasq\/dnsmasq\.conf$/, DNSMASQ, isDirective),
    file(/^\/etc\/groundcrew\/dnsmasq\/servers$/, DNSMASQ, isServer),
    file(/^\/etc\/groundcrew\/dnsmasq\/hosts\/records$/, NAMES, isHostsLine),
    file(/^\/etc\/groundcrew\/dnsmasq\/dhcp\/reservations$/, DNSMASQ, isReservation),
    file(/^\/etc\/groundcrew\/dnsmasq\/dhcp\/options$/, DNSMASQ, isOption),
    // dnsmasq writes this file, with what clients sent. Lines are removed from it while dnsmasq is stopped.
    { ...file(/^\/var\/lib\/groundcrew\/dnsmasq\/leases$/, DNSMASQ, isLease), rendered: false },
  ],
  daemons: ['groundcrew-dnsmasq.service'],
  companions: ['dns-question', 'hold-question', 'dhcp-question'],
  programs: {},
  rehearses: { dnsmasq: lookingBy('--test', '--version') },
};
