// Removes an upload from its page.
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { DEPOT_PAGE } from './begin-upload-form.ts';
import { operation as deleteUpload } from './delete-upload.ts';

export const operation = formOf(deleteUpload, {
  path: `${DEPOT_PAGE}/uploads/{upload_id}/delete`,
  page: DEPOT_PAGE,
  fetch: true,
  done: () => ({ location: DEPOT_PAGE, flash: 'The upload was removed, with the bytes that had come.' }),
});
