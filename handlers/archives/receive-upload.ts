// Takes one piece of an archive that is uploaded. The last one makes it whole.
import * as v from 'valibot';
import {
  ARCHIVES_PATH,
  ARCHIVES_TAG,
  archiveFile,
  completeArchive,
  findArchive,
  type KeptArchive,
  refuseAnother,
} from '../../shared/appliance/archive/kept.ts';
import { archiveParam, archiveProgressSchema } from '../../shared/appliance/archive/schemas.ts';
import { digestOf, encryptionOf, receiveArchive } from '../../shared/appliance/archive/upload.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { PIECE_MOST } from '../../shared/platform/uploads/pieces.ts';
import { offsetSchema } from '../../shared/platform/uploads/schemas.ts';

interface Received {
  archive: KeptArchive;
  received_bytes: number;
  /** Once all of them are there. */
  whole: Pick<KeptArchive, 'sha256' | 'encryption'> | null;
}

export const operation = defineOperation({
  id: 'uploadArchive',
  method: 'PUT',
  path: `${ARCHIVES_PATH}/{archive_id}/content`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Upload a piece of an archive',
  description: `Changes application state immediately. The body is the bytes of the file from \`offset\` on, at most ${PIECE_MOST} of them. Pieces come in order; one that is there already may be sent again, and a refused one says how many bytes are there, so that a broken upload can go on. They come from the user who began the upload. The last piece makes the archive \`ready\`; the ones before it change nothing that is audited.`,
  params: archiveParam,
  query: v.strictObject({ offset: offsetSchema('file') }),
  binary: true,
  bodyLimit: PIECE_MOST,
  answers: { 200: { description: 'The archive, and how many bytes are there.', schema: archiveProgressSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['archive.upload'],
  async prepare({ services, actor, params, query, body }): Promise<Received> {
    const archive = await findArchive(services.store, params.archive_id);
    const { id, state, size_bytes } = archive;
    if (state !== 'receiving') throw new Problem('state_conflict', 'This archive is whole and takes no pieces.');
    refuseAnother(archive, actor);
    const piece = { offset: Number(query.offset), bytes: body as unknown as Buffer, size: size_bytes };
    const received_bytes = await receiveArchive(services, id, piece);
    if (received_bytes < size_bytes) return { archive, received_bytes, whole: null };
    const file = archiveFile(services.settings, id);
    const encryption = await encryptionOf(file);
    if (encryption === null) throw new Problem('state_conflict', 'This file is no archive. Delete the upload.');
    return { archive, received_bytes, whole: { sha256: await digestOf(file), encryption } };
  },
  async run({ tx, audit, prepared }) {
    const { archive: begun, received_bytes, whole } = prepared as Received;
    if (whole === null) return { body: { ...begun, received_bytes }, unchanged: true };
    const archive = await completeArchive(tx, begun.id, whole);
    const { id, name, size_bytes, sha256, encryption } = archive;
    const detail = { name, size_bytes, sha256, encryption };
    audit({ action: 'archive.upload', resource_type: 'archive', resource_id: id, detail });
    return { body: { ...archive, received_bytes } };
  },
});
