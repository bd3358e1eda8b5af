// Announces a file that is uploaded into the depot.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { refuseNoRoom, refuseUnsaid, uploadView } from '../../shared/services/offline-depot/uploads/upload.ts';
import {
  UPLOADS_PATH,
  UPLOADS_TAG,
  type UploadCreate,
  uploadCreateSchema,
  uploadSchema,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import {
  addUpload,
  announcedUploads,
  refuseManyUploads,
  UPLOADS_MOST,
} from '../../shared/services/offline-depot/uploads/upload-store.ts';

export const operation = defineOperation({
  id: 'beginDepotUpload',
  method: 'POST',
  path: UPLOADS_PATH,
  access: { scope: 'write:depot' },
  effect: 'immediate',
  tag: UPLOADS_TAG,
  summary: 'Begin the upload of an OVA',
  description: `Changes application state immediately: the upload waits for its pieces. Nothing of it is in the depot before it was completed. A file of the same name is refused here and again at the end, unless it is said that it is to be replaced. One to which nothing came for a day is removed. At most ${UPLOADS_MOST} may wait at once.`,
  body: uploadCreateSchema,
  answers: { 201: { description: 'The upload waits for its pieces.', schema: uploadSchema, located: true } },
  problems: ['depot_file_exists', 'state_conflict'],
  audit: ['depot.upload.begin'],
  async prepare({ services, body }) {
    const { name, size_bytes, overwrite = false } = body as UploadCreate;
    await refuseUnsaid(services.host, name, overwrite);
    // Looks at every file that is coming, which must not keep others from writing. Two that are announced in one moment may
    // both be told that they fit: their pieces are refused again when they do not.
    await refuseNoRoom(services.host, await announcedUploads(services.store), size_bytes);
  },
  async run({ tx, services, body, actor, audit }) {
    const { name, size_bytes, sha256 = null, overwrite = false } = body as UploadCreate;
    await refuseManyUploads(tx);
    const upload = await addUpload(tx, services, { name, size_bytes, sha256, overwrite, created_by: actor.name });
    const detail = { file: name, size_bytes, sha256, overwrite };
    audit({ action: 'depot.upload.begin', resource_type: 'depot.upload', resource_id: upload.id, detail });
    return {
      status: 201,
      headers: { location: `${UPLOADS_PATH}/${upload.id}` },
      body: await uploadView(services.host, upload),
    };
  },
});
