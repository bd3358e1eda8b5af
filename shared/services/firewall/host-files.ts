// What the firewall does to the machine.
import { type HostFiles, lookingBy } from '../../platform/host/host-files.ts';
import { file } from '../../platform/host/unit-files.ts';
import { isNftLine, NFT_MOST } from './nft-grammar.ts';

const RULES_FILE = '/etc/groundcrew/nftables/groundcrew.nft';

export const hostFiles: HostFiles = {
  unit: 'firewall',
  files: [file(/^\/etc\/groundcrew\/nftables\/groundcrew\.nft$/, { piece: null, most: NFT_MOST }, isNftLine)],
  daemons: [],
  companions: [],
  programs: {
    nft: (args, input, fits) => {
      const text = args.join(' ');
      if (text === '-f -' || text === '-c -f -') return fits(RULES_FILE, input);
      return text === `-f ${RULES_FILE}` || text === '-j list table inet groundcrew';
    },
  },
  rehearses: { nft: lookingBy('-c', '--check') },
};
