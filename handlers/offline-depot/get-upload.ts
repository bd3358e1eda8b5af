// One upload into the depot: how much has arrived, and its result.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { uploadView } from '../../shared/services/offline-depot/uploads/upload.ts';
import {
  UPLOADS_PATH,
  UPLOADS_TAG,
  uploadParam,
  uploadSchema,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import { findUpload } from '../../shared/services/offline-depot/uploads/upload-store.ts';

export const operation = defineOperation({
  id: 'getDepotUpload',
  method: 'GET',
  path: `${UPLOADS_PATH}/{upload_id}`,
  access: { scope: 'read:depot' },
  tag: UPLOADS_TAG,
  summary: 'Get an upload',
  description: 'With the bytes that are there: after a break the next piece begins after them.',
  params: uploadParam,
  answers: { 200: { description: 'The upload as it is now.', schema: uploadSchema } },
  problems: ['resource_not_found'],
  async run({ db, services, params }) {
    return { body: await uploadView(services.host, await findUpload(db, params.upload_id)) };
  },
});
