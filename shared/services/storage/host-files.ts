// What storage does to the machine.
import { exactly, type HostFiles, type Permitted } from '../../platform/host/host-files.ts';
import { file, reads } from '../../platform/host/unit-files.ts';
import {
  EXPORTS_PIECE,
  isExportsLine,
  isGaneshaLine,
  isMountLine,
  isNfsLine,
  LINE_PIECE,
  MOUNT_NAME,
} from './nfs-grammar.ts';

const LINE = reads(LINE_PIECE);
const MOUNT = new RegExp(`^${MOUNT_NAME}$`);
const MOUNT_FILE = new RegExp(String.raw`^\/etc\/groundcrew\/storage\/mounts\/${MOUNT_NAME}$`);
const FOLDER = /^\/srv\/datastores(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]{1,255})+$/;

/** Mounts of ours alone, each by its file or its name. */
const mounts: Permitted = (args) => {
  const [verb, ...rest] = args;
  if (verb === 'daemon-reload') return rest.length === 0;
  if (verb === 'enable') return rest.length === 2 && rest[0] === '--now' && MOUNT_FILE.test(rest[1]!);
  return (verb === 'stop' || verb === 'disable') && rest.length === 1 && MOUNT.test(rest[0]!);
};
const folder: Permitted = ([option, path = '', more]) => option === '-p' && FOLDER.test(path) && more === undefined;
const isMounted: Permitted = ([option, path = '', more]) => option === '-q' && FOLDER.test(path) && more === undefined;

export const hostFiles: HostFiles = {
  unit: 'storage',
  files: [
    file(/^\/etc\/groundcrew\/storage\/groundcrew\.exports$/, reads(EXPORTS_PIECE), isExportsLine),
    file(/^\/etc\/groundcrew\/storage\/nfs\.conf$/, LINE, isNfsLine),
    file(MOUNT_FILE, LINE, isMountLine),
    // A namespace’s server: never written on the appliance, and no daemon there reads it.
    file(/^\/etc\/groundcrew\/storage\/ganesha\.conf$/, LINE, isGaneshaLine),
  ],
  daemons: ['nfs-server.service'],
  companions: ['nfs-question'],
  programs: { exportfs: exactly('-ra', '-v'), systemctl: mounts, mkdir: folder, mountpoint: isMounted },
};
