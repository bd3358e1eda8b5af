// Writes an archive to the file in which it is kept, for nobody else to read. One at a time: each copies the whole database,
// and a passphrase costs a second of a core.
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgeRecipients } from '../../ground/age/age.ts';
import { isNear, newId } from '../../ground/clock.ts';
import { syncFolder } from '../../ground/machine/durable-file.ts';
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { ARCHIVE_BYTES_MOST, archiveFile, archiveFolder, archiveIds, type KeptArchive, refuseTooMany } from './kept.ts';
import { archiveName, makeArchive } from './make.ts';

export type Made = Pick<KeptArchive, 'id' | 'name' | 'size_bytes' | 'sha256'>;

/** Seconds after which a file without a row is nobody's: its request has ended. */
const LEFT_AFTER = 3600;
const OWN_FILE = /^([\w-]+)\.gcarchive(?:\.part)?$/;

let making = false;

/**
 * Whole and on the disk, or not there. `to`: null leaves out all that holds a secret.
 * @throws Problem 409 while another one is made, for too many or too large a one, and for a secret that can't be opened
 */
export async function keepArchive(services: Services, by: string, to: AgeRecipients | null): Promise<Made> {
  await refuseTooMany(services.store);
  if (making) throw new Problem('state_conflict', 'Another archive is being made. Try again when it is there.');
  making = true;
  try {
    const folder = archiveFolder(services.settings);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await sweepFiles(services, folder);
    const id = newId('archive', services.entropy);
    const file = archiveFile(services.settings, id);
    const name = archiveName(services, to !== null);
    return { id, name, ...(await write(file, makeArchive(services, by, to))) };
  } finally {
    making = false;
  }
}

async function write(file: string, pieces: AsyncIterable<Buffer>): Promise<Pick<Made, 'size_bytes' | 'sha256'>> {
  const part = `${file}.part`;
  const hash = createHash('sha256');
  let size_bytes = 0;
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      for await (const piece of pieces) {
        size_bytes += piece.length;
        if (size_bytes > ARCHIVE_BYTES_MOST) throw tooLarge();
        hash.update(piece);
        await handle.writeFile(piece);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    await syncFolder(join(file, '..'));
    return { size_bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(part, { force: true });
    const full = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw full ? new Problem('storage_full', 'The disk has no room for the archive. Nothing was kept.') : error;
  }
}

const tooLarge = (): Problem =>
  new Problem(
    'state_conflict',
    `The archive would have more than ${ARCHIVE_BYTES_MOST >> 20} MiB. Make it on the shell: groundcrew archive create.`,
  );

/** Files that no row has: of a request that was refused after all, or whose process was killed. */
async function sweepFiles({ store, clock }: Pick<Services, 'store' | 'clock'>, folder: string): Promise<void> {
  const known = new Set(await archiveIds(store));
  for (const name of await readdir(folder)) {
    const id = OWN_FILE.exec(name)?.[1];
    if (id === undefined || known.has(id)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && !isNear(found.mtimeMs, clock.now(), LEFT_AFTER)) await rm(path, { force: true });
  }
}
