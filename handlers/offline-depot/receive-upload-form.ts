// Takes a piece of an upload from the script of a page: the bytes as body, the session's CSRF token in the header X-CSRF-Token.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { DEPOT_PAGE } from './begin-upload-form.ts';
import { operation as receiveUpload } from './receive-upload.ts';

export const operation = defineForm(
  { of: receiveUpload, path: `${DEPOT_PAGE}/uploads/{upload_id}/content`, access: { session: 'write:depot' } },
  { page: DEPOT_PAGE, fetch: true, decode: () => undefined, done: () => ({ location: DEPOT_PAGE }) },
);
