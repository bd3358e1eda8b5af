// Begins an upload for the script of a page.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as beginUpload } from './begin-upload.ts';

export const DEPOT_PAGE = pagePath('offline-depot');

export const operation = formOf(beginUpload, {
  path: `${DEPOT_PAGE}/uploads`,
  page: DEPOT_PAGE,
  fetch: true,
  decode: (fields) => ({
    name: fields.text('name'),
    size_bytes: fields.integer('size_bytes'),
    sha256: fields.text('sha256').toLowerCase() || null,
    overwrite: fields.checked('overwrite'),
  }),
  done: () => ({ location: DEPOT_PAGE }),
});
