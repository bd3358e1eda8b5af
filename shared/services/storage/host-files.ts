// What storage does to the machine.
import { exactly, type HostFiles, type Permitted } from '../../platform/host/host-files.ts';
import { file, reads } from '../../platform/host/unit-files.ts';
import { isDiskLine, UUID, WORK_UNIT } from './disk-grammar.ts';
import {
  EXPORTS_PIECE,
  isExportsLine,
  isGaneshaLine,
  isLimitsLine,
  isMountLine,
  isNfsLine,
  LINE_PIECE,
  MOUNT_NAME,
} from './nfs-grammar.ts';

const LINE = reads(LINE_PIECE);
const MOUNT = new RegExp(`^${MOUNT_NAME}$`);
const MOUNT_FILE = new RegExp(String.raw`^\/etc\/groundcrew\/storage\/mounts\/${MOUNT_NAME}$`);

const DISK_FILE = new RegExp(String.raw`^\/etc\/groundcrew\/storage\/disks\/${UUID}\.disk$`);

const FIXED = new Set(['daemon-reload', 'reload nfs-server.service', 'show -p LoadState --value nfs-server.service']);
/** Words before the name of a mount, or before its file. */
const WITH_NAME = new Set(['is-active --quiet', 'stop', 'disable']);

/** Mounts of ours alone, each by its file or its name; and work on a disk, by the UUID of its filesystem. */
const mounts: Permitted = (args) => {
  if (FIXED.has(args.join(' '))) return true;
  const [words, name = ''] = [args.slice(0, -1).join(' '), args.at(-1)];
  if (words === 'start') return WORK_UNIT.test(name);
  return words === 'enable --now' ? MOUNT_FILE.test(name) : WITH_NAME.has(words) && MOUNT.test(name);
};

export const hostFiles: HostFiles = {
  unit: 'storage',
  files: [
    file(/^\/etc\/groundcrew\/storage\/groundcrew\.exports$/, reads(EXPORTS_PIECE), isExportsLine),
    file(/^\/etc\/groundcrew\/storage\/nfs\.conf$/, LINE, isNfsLine),
    file(/^\/etc\/groundcrew\/storage\/limits$/, LINE, isLimitsLine),
    file(MOUNT_FILE, LINE, isMountLine),
    file(DISK_FILE, LINE, isDiskLine),
    // A namespace’s server: never written on the appliance, and no daemon there reads it.
    file(/^\/etc\/groundcrew\/storage\/ganesha\.conf$/, LINE, isGaneshaLine),
  ],
  daemons: ['nfs-server.service', 'groundcrew-datastore-limits.service'],
  companions: ['nfs-question'],
  programs: {
    systemctl: mounts,
    grep: exactly(...['info', 'states'].map((name) => `-r -H --include=${name}  /run/groundcrew/nfsd/clients`)),
  },
};
