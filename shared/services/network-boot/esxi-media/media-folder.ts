// Folders of media. A folder is named by the medium's id and is complete: it got its name after its last file had
// reached the disk. Only files of its index are served.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { makeFolder } from '../../../ground/machine/durable-file.ts';
import type { Host } from '../../../ground/machine/host.ts';

/** Appliance path. */
const MEDIA_FOLDER = '/var/lib/groundcrew/media';
const INDEX_FILE = 'index.json';
const CONTENT_FOLDER = 'files';
/** Names with a dot in front are being made or being removed. */
const UNFINISHED = '.';

const indexSchema = v.object({
  version: v.literal(1),
  content_digest: v.string(),
  files: v.array(v.object({ path: v.string(), size: v.number(), sha256: v.string() })),
});
export type MediaIndex = v.InferOutput<typeof indexSchema>;
export type IndexedFile = MediaIndex['files'][number];

type Resolver = Pick<Host, 'resolve'>;

export const MEDIUM_ID = /^[A-Za-z0-9_-]{1,64}$/;

export const mediaFolder = (host: Resolver): string => host.resolve(MEDIA_FOLDER);

/** @throws TypeError for anything but an id of a medium, since it becomes part of a path. */
export function mediumFolder(host: Resolver, id: string): string {
  if (!MEDIUM_ID.test(id)) throw new TypeError('Not the id of a medium.');
  return join(mediaFolder(host), id);
}

/** Only this service may enter it; daemons with users of their own share the folder above. */
export async function makeMediaFolder(host: Resolver): Promise<void> {
  await makeFolder(dirname(mediaFolder(host)), 0o755);
  await mkdir(mediaFolder(host), { recursive: true, mode: 0o700 });
}

export const contentPath = (folder: string, path: string): string => join(folder, CONTENT_FOLDER, path);
export const indexPath = (folder: string): string => join(folder, INDEX_FILE);
export const unpackingFolder = (host: Resolver, id: string): string =>
  join(mediaFolder(host), `${UNFINISHED}unpacking-${id}`);
export const uploadPath = (host: Resolver, id: string): string => join(mediaFolder(host), `${UNFINISHED}upload-${id}`);
/** The medium that an entry of the folder belongs to; null for foreign entries. */
export const mediumOfEntry = (name: string): string | null =>
  /^(?:\.(?:unpacking|upload|removing)-)?([A-Za-z0-9_-]{1,64})$/.exec(name)?.[1] ?? null;
export const removingFolder = (host: Resolver, id: string): string =>
  join(mediaFolder(host), `${UNFINISHED}removing-${id}`);

/** The index of an unpacked medium; null when there is none. @throws Error when it is damaged. */
export async function readIndex(folder: string): Promise<MediaIndex | null> {
  try {
    return v.parse(indexSchema, JSON.parse(await readFile(indexPath(folder), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error('The index of an installer medium is damaged; delete the medium and add it again.');
  }
}
