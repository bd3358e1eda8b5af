// The OVAs of SDDC Manager in the depot: regular files of their folder. Links are not followed, and a name is checked
// before it becomes part of a path.
import type { Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../ground/machine/durable-file.ts';
import type { Host } from '../../../ground/machine/host.ts';
import { notFound } from '../../../ground/problems.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { applianceFolder, depotStore, SDDC_MANAGER_FOLDER } from '../store.ts';
import { byVersion, isApplianceName, versionOf } from './appliance-name.ts';

export interface ApplianceFile {
  /** Name in the folder. */
  file: string;
  size_bytes: number;
  /** RFC 3339 in UTC. */
  modified_at: string;
  /** By the file name. */
  version: string | null;
}

type Needed = Pick<Services, 'host'>;

/** Newest version first, without unfinished and hidden files. At most a thousand. */
export async function listAppliances({ host }: Needed): Promise<ApplianceFile[]> {
  if (!(await isOwnFolder(host))) return [];
  const folder = applianceFolder(host);
  const names = (await readdir(folder).catch(() => [])).filter(isApplianceName).slice(0, 1000);
  const found = await Promise.all(
    names.map(async (file) => viewed(file, await lstat(join(folder, file)).catch(() => null))),
  );
  return found
    .filter((each) => each !== null)
    .sort((a, b) => byVersion(a.version, b.version) || (a.modified_at < b.modified_at ? 1 : -1));
}

/** Null for anything but a regular file. */
function viewed(file: string, stats: Stats | null): ApplianceFile | null {
  if (!stats?.isFile()) return null;
  return { file, size_bytes: stats.size, modified_at: stats.mtime.toISOString(), version: versionOf(file) };
}

/** @throws Problem 404 */
export async function findAppliance({ host }: Needed, file: string): Promise<ApplianceFile> {
  const stats =
    isApplianceName(file) && (await isOwnFolder(host))
      ? await lstat(join(applianceFolder(host), file)).catch(() => null)
      : null;
  const found = viewed(file, stats);
  if (!found) throw notFound('This OVA');
  return found;
}

/** Absolute path of an OVA. @throws Problem 404 for a missing file, a link, and a name that leaves the folder */
export async function appliancePath(services: Needed, file: string): Promise<string> {
  await findAppliance(services, file);
  return join(applianceFolder(services.host), file);
}

/** @throws Problem 404 */
export async function removeAppliance(services: Needed, file: string): Promise<void> {
  await rm(await appliancePath(services, file));
  await syncFolder(applianceFolder(services.host));
}

/** Whether each folder below the store is a folder and no link. */
async function isOwnFolder(host: Pick<Host, 'resolve'>): Promise<boolean> {
  let folder = depotStore(host);
  for (const name of SDDC_MANAGER_FOLDER.split('/')) {
    folder = join(folder, name);
    if (!(await lstat(folder).catch(() => null))?.isDirectory()) return false;
  }
  return true;
}
