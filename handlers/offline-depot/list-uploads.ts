// Uploads into the depot.

import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { uploadView } from '../../shared/services/offline-depot/uploads/upload.ts';
import {
  UPLOADS_PATH,
  UPLOADS_TAG,
  uploadListSchema,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import { listUploads } from '../../shared/services/offline-depot/uploads/upload-store.ts';

export const operation = defineOperation({
  id: 'listDepotUploads',
  method: 'GET',
  path: UPLOADS_PATH,
  access: { scope: 'read:depot' },
  tag: UPLOADS_TAG,
  summary: 'List uploads',
  description:
    'Newest first: those that take pieces, those that are completed now, and those that were done within a day.',
  query: v.strictObject(PAGE_QUERY),
  answers: {
    200: { description: 'A page of the uploads; `next_cursor` leads to the next.', schema: uploadListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, services, query }) {
    const { items, next_cursor } = await listUploads(db, { ...query, limit: pageLimit(query.limit) });
    return { body: { items: await Promise.all(items.map((row) => uploadView(services.host, row))), next_cursor } };
  },
});
