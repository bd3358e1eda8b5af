// What the file of a disk may contain: each line with its value.
import { either, type Is, matching, oneOf } from '../../platform/host/grammar-words.ts';
import { isWholeDisk } from './disk-names.ts';

const PART = String.raw`(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]{1,255}`;
const isFolder = matching(new RegExp(String.raw`^\/srv\/datastores(?:\/${PART})+$`));
const isById = matching(/^\/dev\/disk\/by-id\/[A-Za-z0-9_:+=@-][A-Za-z0-9._:+=@-]{0,240}$/);

/** Of whatever version, in lower case: filesystems that others made have one, too. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Digits of a whole number of bytes that a double holds exactly; 0: of a filesystem that others made, not known. */
const isBytes: Is = (text) => /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

const member =
  (name: string, is: Is): Is =>
  (line) =>
    line.startsWith(`${name}=`) && is(line.slice(name.length + 1));

export const isDiskLine: Is = either(
  member('Device', (text) => isById(text) && isWholeDisk(text)),
  member('Where', isFolder),
  member('Filesystem', oneOf('xfs', 'ext4')),
  member('UUID', matching(new RegExp(`^${UUID}$`))),
  member('Bytes', isBytes),
  member('Fingerprint', matching(/^[0-9a-f]{64}$/)),
);

/** The instance that root may start: what is to be done, and for which filesystem. */
export const WORK_UNIT = new RegExp(String.raw`^groundcrew-disk@(format|grow)-(${UUID})\.service$`);
export const WORK_WORD = new RegExp(`^(format|grow)-(${UUID})$`);
