// Folders of the offline depot. Files below PROD are served; names that begin with a dot never are.
import { join } from 'node:path';
import { makeFolder } from '../../ground/machine/durable-file.ts';
import type { Host } from '../../ground/machine/host.ts';
import { Problem } from '../../ground/problems.ts';

/** Appliance path; a disk of its own may be mounted there. */
export const DEPOT_STORE = '/mnt/groundcrew-vcf-offline-depot';
/** Below the store: OVAs of the service manager. */
export const SDDC_MANAGER_FOLDER = 'PROD/COMP/SDDC_MANAGER_VCF';
/** Below the store, on the same file system: unfinished uploads. */
const UPLOADS_FOLDER = '.uploads';

type Resolver = Pick<Host, 'resolve'>;

export const UPLOAD_ID = /^[A-Za-z0-9_-]{1,64}$/;

export const depotStore = (host: Resolver): string => host.resolve(DEPOT_STORE);
export const applianceFolder = (host: Resolver): string => join(depotStore(host), SDDC_MANAGER_FOLDER);
export const uploadsFolder = (host: Resolver): string => join(depotStore(host), UPLOADS_FOLDER);

/** @throws TypeError for anything but an id of an upload, since it becomes part of a path. */
export function depotUploadPath(host: Resolver, id: string): string {
  if (!UPLOAD_ID.test(id)) throw new TypeError('Not the id of an upload.');
  return join(uploadsFolder(host), id);
}

/** @throws Problem 409 where the service may not write */
export const makeUploadsFolder = (host: Resolver): Promise<void> => made(uploadsFolder(host), 0o700);
/** @throws Problem 409 where the service may not write */
export const makeApplianceFolder = (host: Resolver): Promise<void> => made(applianceFolder(host), 0o755);

const UNWRITABLE: Readonly<Record<string, string>> = {
  EACCES: 'the user of the service may not write there',
  EPERM: 'the user of the service may not write there',
  EROFS: 'it is mounted read-only',
  ENOTDIR: 'something on the way is no folder',
  EEXIST: 'something on the way is no folder',
};

async function made(folder: string, mode: number): Promise<void> {
  await makeFolder(folder, mode).catch((error: NodeJS.ErrnoException) => {
    const why = UNWRITABLE[error.code ?? ''];
    if (why === undefined) throw error;
    throw new Problem('state_conflict', `Nothing can be stored in ${DEPOT_STORE}: ${why}. Change that, and try again.`);
  });
}
