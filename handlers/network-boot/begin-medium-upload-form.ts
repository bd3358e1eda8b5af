// Creates a medium for the script of a page, which sends its image next.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createMedium } from './create-medium.ts';

export const operation = defineForm(
  {
    of: createMedium,
    id: 'beginBootMediumUploadForm',
    path: `${pagePath('boot-media')}/upload`,
  },
  {
    page: `${pagePath('boot-media')}/new`,
    fetch: true,
    decode: (fields) => ({ name: fields.text('name'), size_bytes: fields.integer('size_bytes') }),
    done: () => ({ location: pagePath('boot-media') }),
  },
);
