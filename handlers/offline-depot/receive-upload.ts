// One piece of a file that is uploaded into the depot.

import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { PIECE_MOST } from '../../shared/platform/uploads/pieces.ts';
import { offsetSchema } from '../../shared/platform/uploads/schemas.ts';
import { receiveUpload } from '../../shared/services/offline-depot/uploads/upload.ts';
import {
  receivedSchema,
  UPLOADS_PATH,
  UPLOADS_TAG,
  uploadParam,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import { findUpload } from '../../shared/services/offline-depot/uploads/upload-store.ts';

export const operation = defineOperation({
  id: 'receiveDepotUpload',
  method: 'PUT',
  path: `${UPLOADS_PATH}/{upload_id}/content`,
  access: { scope: 'write:depot' },
  effect: 'immediate',
  tag: UPLOADS_TAG,
  summary: 'Upload a piece of an OVA',
  description: `Changes application state immediately; what is audited is the begin and the end of an upload, not its pieces. The body is the bytes of the file from \`offset\` on, at most ${PIECE_MOST} of them; they have reached the disk when this answers. Pieces come in order. One that is there already may be sent again, and one of no bytes asks how many are there, so that a broken upload can go on.`,
  params: uploadParam,
  query: v.strictObject({ offset: offsetSchema('file') }),
  binary: true,
  bodyLimit: PIECE_MOST,
  answers: {
    200: { description: 'How many bytes are there now; the next piece begins there.', schema: receivedSchema },
  },
  problems: ['resource_not_found', 'state_conflict'],
  audit: 'none',
  async run({ services, params: { upload_id }, query, body }) {
    const upload = await findUpload(services.store, upload_id);
    const piece = { offset: Number(query.offset), bytes: body as Buffer };
    const received_bytes = await receiveUpload(services.host, upload, piece);
    return { body: { upload_id, received_bytes, size_bytes: upload.size_bytes } };
  },
});
