// Removes an upload from its page.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { DEPOT_PAGE } from './begin-upload-form.ts';
import { operation as deleteUpload } from './delete-upload.ts';

export const operation = defineForm(
  { of: deleteUpload, path: `${DEPOT_PAGE}/uploads/{upload_id}/delete`, access: { session: 'write:depot' } },
  {
    page: DEPOT_PAGE,
    fetch: true,
    decode: () => undefined,
    done: () => ({ location: DEPOT_PAGE, flash: 'The upload was removed, with the bytes that had come.' }),
  },
);
