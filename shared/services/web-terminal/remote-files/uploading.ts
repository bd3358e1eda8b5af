// An upload to another machine, as its requests come: begun, then piece after piece, each of which the other machine has before its
// request is answered. So one piece waits in memory, however slow the other machine is.
import { newId } from '../../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../../ground/problems.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { FILES } from './limits.ts';
import { childOf, requireNewName, requirePath, shownName } from './names.ts';
import type { Asker, FileVisit } from './visit.ts';
import type { FileVisits } from './visits.ts';
import { beginUpload, dropUpload, finishUpload, type Upload, writePiece } from './writing.ts';

interface Begin {
  folder: string;
  name: string;
  size_bytes: number;
  replace: boolean;
}

interface Shell {
  visits: FileVisits;
  visit: FileVisit;
  asker: Asker;
  entropy: Services['entropy'];
}

/** In the audit log before the other machine has a byte. Whatever was not finished is dropped. @throws Problem 409, 422 */
export function beginIn({ visits, visit, asker, entropy }: Shell, begin: Begin): Promise<Upload> {
  const folder = requirePath(begin.folder, '/folder');
  const name = requireNewName(begin.name);
  requirePath(childOf(folder, name), '/name');
  const { size_bytes: bytes, replace } = begin;
  if (bytes > FILES.upload)
    throw invalid({ pointer: '/size_bytes', detail: `A file of at most ${FILES.upload / 2 ** 30} GiB.` });
  const { sftp } = visit.facts;
  return visit.writes(async () => {
    if (visit.upload) await dropIn({ visits, visit, asker }, visit.upload);
    const detail = { path: shownName(childOf(folder, name)), bytes, replace };
    await visits.audit(visit, { action: 'terminal.file.upload', detail }, asker);
    const id = newId('upload', entropy);
    const random = entropy.bytes(4);
    const upload = await beginUpload(sftp, { id, folder, name, bytes, replace, random });
    visit.uploads(upload);
    return upload;
  });
}

/** Answers the bytes that are there. @throws Problem 404, 409 */
export async function receiveIn(
  { visits, visit, asker }: Omit<Shell, 'entropy'>,
  id: string,
  { offset, bytes }: { offset: number; bytes: Buffer },
): Promise<number> {
  const upload = visit.upload;
  if (upload?.id !== id) throw notFound('This upload');
  return visit.writes(async () => {
    // A piece that is there already may come again; one of no bytes asks how far it is.
    if (offset + bytes.length <= upload.received) return upload.received;
    if (offset !== upload.received || offset + bytes.length > upload.bytes)
      throw new Problem('state_conflict', `${upload.received} bytes of this file are there; pieces come in order.`);
    const { sftp } = visit.facts;
    try {
      await writePiece(sftp, upload, bytes);
      visit.counts.bytes_in += bytes.length;
      visit.used();
      if (upload.received < upload.bytes) return upload.received;
      await finishUpload(sftp, upload);
    } catch (error) {
      // Nothing mends it: its next piece would fail as well.
      await dropIn({ visits, visit, asker }, upload);
      throw error;
    }
    visit.forgets(upload);
    visit.counts.uploads += 1;
    const detail = { path: shownName(upload.path), bytes: upload.bytes, whole: true, replaced: upload.former !== null };
    await visits.audit(visit, { action: 'terminal.file.uploaded', detail }, asker);
    return upload.received;
  });
}

async function dropIn({ visits, visit, asker }: Omit<Shell, 'entropy'>, upload: Upload): Promise<void> {
  if (visit.upload !== upload) return;
  visit.forgets(upload);
  visits.noteDropped(visit, upload, asker);
  await dropUpload(visit.facts.sftp, upload);
}
