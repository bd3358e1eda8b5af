// Takes a piece of an upload from the script of a page: the bytes as body, the session's CSRF token in the header X-CSRF-Token.
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { DEPOT_PAGE } from './begin-upload-form.ts';
import { operation as receiveUpload } from './receive-upload.ts';

export const operation = formOf(receiveUpload, {
  path: `${DEPOT_PAGE}/uploads/{upload_id}/content`,
  page: DEPOT_PAGE,
  fetch: true,
  done: () => ({ location: DEPOT_PAGE }),
});
