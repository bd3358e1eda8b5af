// A file that is brought to another machine, in pieces: beside its place under a name of its own, and there once all of it is.
import { Problem } from '../../../ground/problems.ts';
import { FILES } from './limits.ts';
import { childOf, shownName, temporaryName } from './names.ts';
import type { Facts, Sftp } from './sftp.ts';

export interface Upload {
  id: string;
  /** Where it is to be. */
  path: string;
  /** Where it is until then. */
  temporary: string;
  bytes: number;
  received: number;
  /** What it takes the place of; null: nothing is to be there. */
  former: Facts | null;
  handle: Buffer;
}

interface Begin {
  id: string;
  folder: string;
  name: string;
  bytes: number;
  replace: boolean;
  random: Buffer;
}

const NEW_MODE = 0o644;

/** @throws Problem 409 */
export async function beginUpload(sftp: Sftp, { id, folder, name, bytes, replace, random }: Begin): Promise<Upload> {
  const path = childOf(folder, name);
  const former = await sftp.facts(path, { follow: false });
  if (former !== null && former.kind !== 'file')
    throw new Problem('state_conflict', `${shownName(path)} is there already, and is no plain file. Use another name.`);
  if (former !== null && !replace)
    throw new Problem(
      'state_conflict',
      `${shownName(path)} is there already. Choose to replace it, or use another name.`,
    );
  const temporary = childOf(folder, temporaryName(name, random));
  const handle = await sftp.openFile(temporary, 'wx', former?.mode ?? NEW_MODE);
  return { id, path, temporary, bytes, received: 0, former, handle };
}

/** The next bytes: on return the other machine has them. @throws Problem 409 */
export async function writePiece(sftp: Sftp, upload: Upload, bytes: Buffer): Promise<void> {
  const begin = upload.received;
  const round = FILES.in_flight * FILES.piece;
  for (let from = 0; from < bytes.length; from += round) {
    const writes: Promise<void>[] = [];
    for (let at = from; at < Math.min(bytes.length, from + round); at += FILES.piece)
      writes.push(sftp.write(upload.handle, bytes.subarray(at, at + FILES.piece), begin + at));
    const failed = (await Promise.allSettled(writes)).find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }
  upload.received += bytes.length;
}

/** All of it is there: in its place from now on. @throws Problem 409 */
export async function finishUpload(sftp: Sftp, upload: Upload): Promise<void> {
  const { handle, temporary, path, former } = upload;
  // The mask of the account took bits that the former file has.
  if (former?.mode != null) await sftp.chmod(handle, former.mode).catch(() => undefined);
  await sftp.sync(handle);
  await sftp.close(handle);
  if (former === null) return sftp.rename(temporary, path);
  if (await sftp.replace(temporary, path)) return;
  // For a moment there is neither: version 3 has no other way.
  await sftp.remove(path);
  await sftp.rename(temporary, path);
}

/** What came of it goes, as far as the other machine can still be told. */
export async function dropUpload(sftp: Sftp, { handle, temporary }: Upload): Promise<void> {
  await sftp.close(handle).catch(() => undefined);
  await sftp.remove(temporary).catch(() => undefined);
}
