// Announces an archive that is uploaded to be restored.
import {
  ARCHIVES_PATH,
  ARCHIVES_TAG,
  addArchive,
  refuseTooMany,
  refuseTooManyUploads,
  UPLOADS_MOST,
} from '../../shared/appliance/archive/kept.ts';
import { type ArchiveUpload, archiveSchema, archiveUploadSchema } from '../../shared/appliance/archive/schemas.ts';
import { refuseNoRoom, UNNAMED } from '../../shared/appliance/archive/upload.ts';
import { newId } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'beginArchiveUpload',
  method: 'POST',
  path: `${ARCHIVES_PATH}/uploads`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Begin the upload of an archive',
  description: `Changes application state immediately: the archive waits for its bytes, which are sent to its \`content\` in pieces by the user who began the upload. One to which nothing came for a day is removed; at most ${UPLOADS_MOST} wait at a time.`,
  body: archiveUploadSchema,
  answers: { 201: { description: 'The archive waits for its bytes.', schema: archiveSchema, located: true } },
  problems: ['state_conflict'],
  audit: ['archive.upload.begin'],
  async prepare({ services, body }) {
    await refuseNoRoom(services, (body as ArchiveUpload).size_bytes);
  },
  async run({ tx, services, body: { name = '', size_bytes }, actor, audit }) {
    await refuseTooMany(tx);
    await refuseTooManyUploads(tx);
    const archive = await addArchive(tx, services, {
      ...{ id: newId('archive', services.entropy), name: fileName(name), size_bytes, sha256: null },
      ...({ origin: 'uploaded', state: 'receiving', encryption: 'unknown', created_by: actor.name } as const),
    });
    const detail = { name: archive.name, size_bytes };
    audit({ action: 'archive.upload.begin', resource_type: 'archive', resource_id: archive.id, detail });
    return { status: 201, body: archive, headers: { location: `${ARCHIVES_PATH}/${archive.id}` } };
  },
});

/** It goes into a header when the archive is downloaded again. */
const fileName = (typed: string): string => typed.replaceAll(/[^A-Za-z0-9._-]/g, '') || UNNAMED;
