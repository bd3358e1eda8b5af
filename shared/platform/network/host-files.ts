// What the network unit does to the machine.
import { exactly, type HostFiles } from '../host/host-files.ts';
import { isBatch } from '../host/ip-batch.ts';
import { isReader } from '../host/networkd.ts';
import { file, type Reader } from '../host/unit-files.ts';
import { isNetworkdLine, NETWORKD_PIECE } from './networkd-grammar.ts';

/** The unit's lines are far shorter than what networkd could read. */
const NETWORKD: Reader = { piece: NETWORKD_PIECE, most: 1_023 };
const SWITCH = /^\/proc\/sys\/net\/ipv[46]\/(?:ip_forward|conf\/all\/forwarding)$/;
/** A rule that routes packets of one interface: forwarding.ts removes these, and no others. */
const FORMER_RULE = /^-[46] rule del pref 32000 iif \w[\w.@+-]{0,30}$/;

export const hostFiles: HostFiles = {
  unit: 'network',
  files: [
    file(/^\/etc\/systemd\/network\/40-groundcrew-\w[\w.@+-]{0,30}\.(?:network|netdev)$/, NETWORKD, isNetworkdLine),
  ],
  daemons: ['systemd-networkd.service'],
  companions: [],
  programs: {
    ip: (args, input) => {
      const text = args.join(' ');
      if (/^(?:-force )?-batch -$/.test(text)) return isBatch(input);
      if (/^link delete dev \w[\w.@+-]*$/.test(text) || FORMER_RULE.test(text)) return true;
      return /^(?:-[jd46] )*(?:addr|link|route|rule) show(?: default)?(?: proto \d+)?$/.test(text);
    },
    networkctl: exactly('reload', 'list --json=short'),
    journalctl: exactly('--unit=systemd-networkd --lines=200 --output=cat --no-pager'),
    modprobe: exactly('-n -q 8021q'),
    test: exactly('-e /proc/net/vlan/config'),
    cat: (args) => args.every((path) => SWITCH.test(path)),
    tee: (args, input) => input === '0\n' && args.every((path) => SWITCH.test(path)),
    unshare: isReader,
  },
  // Only with the arguments that separate network, mounts and processes of the program from the machine.
  rehearses: { unshare: isReader, test: () => true },
};
