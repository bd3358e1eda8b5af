// What root is told to do with a disk: one file a filesystem, in a grammar that has no word of a person in it. And what root has
// written down of its work, so that a format that was cut off is known again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import { FILESYSTEMS, type Filesystem, type FilesystemKind } from './disk-fitness.ts';
import { isDiskLine } from './disk-grammar.ts';

export const DISKS_FOLDER = '/etc/groundcrew/storage/disks';
/** Root writes there, and everybody may read. */
export const RECORDS_FOLDER = '/var/lib/groundcrew/enforce/storage';
export const diskFile = (uuid: string): string => `${DISKS_FOLDER}/${uuid}.disk`;

export const WORKS = ['format', 'grow'] as const;
export type Work = (typeof WORKS)[number];
/** The program that does it, which root starts: build/appliance/systemd/groundcrew-disk@.service. */
export const workUnit = (work: Work, uuid: string): string => `groundcrew-disk@${work}-${uuid}.service`;

export interface DiskOrder extends Filesystem {
  /** Name below /dev/disk/by-id. */
  device: string;
  /** Where it is mounted. */
  at: string;
}

/** Pure: the lines of its file. */
export const orderLines = ({ device, at, kind, uuid, bytes, fingerprint }: DiskOrder): string[] => [
  `Device=${device}`,
  `Where=${at}`,
  `Filesystem=${kind}`,
  `UUID=${uuid}`,
  `Bytes=${bytes}`,
  `Fingerprint=${fingerprint}`,
];

/** Pure. @throws Error for a line that is none of ours, and for one that is missing */
export function readOrder(content: string): DiskOrder {
  const lines = content.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (!lines.every(isDiskLine)) throw new Error('the file of the disk has a line that is none of ours');
  const values = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const of = (name: string): string => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the file of the disk lacks ${name}`);
    return value;
  };
  if (values.size !== lines.length) throw new Error('the file of the disk says something twice');
  return {
    device: of('Device'),
    at: of('Where'),
    kind: FILESYSTEMS.find((kind) => kind === of('Filesystem')) as FilesystemKind,
    uuid: of('UUID'),
    bytes: Number(of('Bytes')),
    fingerprint: of('Fingerprint'),
  };
}

/** What root did for a filesystem. */
export interface DiskRecord {
  /** Before the first byte is written; from then on the disk may carry a half-made filesystem. */
  begun: boolean;
  /** After the last one. */
  made: boolean;
  /** Of the disk that it fills; 0 before. */
  bytes: number;
  /** Of the disk that was begun on: the same UUID on another one is none of this work. '' before. */
  fingerprint: string;
  /** Why the last work was refused or failed, in a clause; '' when it was not. */
  said: string;
}

export const NO_RECORD: DiskRecord = { begun: false, made: false, bytes: 0, fingerprint: '', said: '' };

/** Pure: whether this disk may carry half of the filesystem, so that it may be begun again over that. */
export const isHalf = ({ begun, made, fingerprint }: DiskRecord, disk_fingerprint: string): boolean =>
  begun && !made && fingerprint === disk_fingerprint;

const recordFile = (uuid: string, folder: string): string => join(folder, `${uuid}.json`);

/** @throws Error for a record that can't be read: nobody may take it for none */
export async function readRecord(uuid: string, folder: string = RECORDS_FOLDER): Promise<DiskRecord> {
  try {
    const told = JSON.parse(await readFile(recordFile(uuid, folder), 'utf8')) as DiskRecord;
    const { begun, made, bytes, fingerprint, said } = told;
    return {
      ...{ begun: begun === true, made: made === true, bytes: Number(bytes) },
      ...{ fingerprint: String(fingerprint ?? ''), said: String(said) },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NO_RECORD;
    throw new Error(`the record of the filesystem ${uuid} can’t be read: ${(error as Error).message}`);
  }
}

/** Durable: what was begun is known after a power cut. */
export const writeRecord = (uuid: string, record: DiskRecord, folder: string = RECORDS_FOLDER): Promise<void> =>
  replaceFile(recordFile(uuid, folder), `${JSON.stringify(record)}\n`, 0o644, { folderMode: 0o755 });
