// Removes an upload with the bytes that arrived.

import { Problem } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { dropBytes } from '../../shared/services/offline-depot/uploads/upload.ts';
import { UPLOADS_PATH, UPLOADS_TAG, uploadParam } from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import { findUpload, removeUpload } from '../../shared/services/offline-depot/uploads/upload-store.ts';

export const operation = defineOperation({
  id: 'deleteDepotUpload',
  method: 'DELETE',
  path: `${UPLOADS_PATH}/{upload_id}`,
  access: { scope: 'write:depot' },
  effect: 'immediate',
  tag: UPLOADS_TAG,
  summary: 'Remove an upload',
  description:
    'Changes application state immediately: the bytes that came are gone. Refused while a job completes it, and when it is done: the file in the depot is deleted as an appliance.',
  params: uploadParam,
  answers: { 204: { description: 'Removed; the answer has no body.' } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['depot.upload.delete'],
  async run({ tx, services, params: { upload_id: id }, audit }) {
    const file = await removeUpload(tx, id);
    if (file === null) {
      const { state } = await findUpload(tx, id);
      throw new Problem('state_conflict', `This upload is ${state} and can’t be removed.`);
    }
    // Before the commit: on a full disk this is what makes the room for it.
    await dropBytes(services.host, id);
    audit({ action: 'depot.upload.delete', resource_type: 'depot.upload', resource_id: id, detail: { file } });
    return { status: 204 };
  },
});
