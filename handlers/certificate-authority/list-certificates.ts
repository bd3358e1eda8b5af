// Lists the certificates that the authority issued.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  issuedListSchema,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'listIssuedCertificates',
  method: 'GET',
  path: `${AUTHORITY_PATH}/certificates`,
  access: { scope: 'read:ca' },
  tag: AUTHORITY_TAG,
  summary: 'List issued certificates',
  description: 'All of them, the replaced ones too; newest first.',
  query: v.strictObject({
    ...PAGE_QUERY,
    purpose: v.optional(v.pipe(v.string(), v.description('Only those of exactly this purpose.'))),
  }),
  answers: {
    200: { description: 'A page of the certificates; `next_cursor` leads to the next.', schema: issuedListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listIssued(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
