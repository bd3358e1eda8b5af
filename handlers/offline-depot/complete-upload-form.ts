// Completes an upload from its page, by script or by a button.
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { DEPOT_PAGE } from './begin-upload-form.ts';
import { operation as completeUpload } from './complete-upload.ts';

export const operation = formOf(completeUpload, {
  path: `${DEPOT_PAGE}/uploads/{upload_id}/complete`,
  page: DEPOT_PAGE,
  fetch: true,
  // A field that is sent and empty takes back what was said at the begin.
  decode: (fields) => ({
    ...(fields.optional('sha256') !== undefined && { sha256: fields.text('sha256').toLowerCase() || null }),
    ...(fields.checked('overwrite') && { overwrite: true }),
  }),
  done: () => ({ location: DEPOT_PAGE, flash: 'The bytes that came are being compared.' }),
});
