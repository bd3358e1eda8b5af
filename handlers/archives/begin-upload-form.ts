// Announces an archive for the script of a page, which sends its bytes next.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as beginUpload } from './begin-upload.ts';

export const operation = defineForm(
  { of: beginUpload, path: `${pagePath('archives')}/uploads` },
  {
    page: `${pagePath('archives')}/upload`,
    fetch: true,
    decode: (fields) => ({ name: fields.text('name'), size_bytes: fields.integer('size_bytes') }),
    done: ({ body }) => ({ location: pagePath('archive', (body as { id: string }).id) }),
  },
);
