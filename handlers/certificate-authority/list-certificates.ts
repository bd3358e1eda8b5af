// Lists the certificates that the authority issued.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { CERTIFICATE_STATES, listIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { PROFILES } from '../../shared/platform/certificate-authority/profiles.ts';
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
  description: 'All of them, the replaced and revoked ones too; newest first, or the first to end.',
  query: v.strictObject({
    ...PAGE_QUERY,
    purpose: v.optional(v.pipe(v.string(), v.description('Only those of exactly this purpose.'))),
    profile: v.optional(v.pipe(v.picklist(PROFILES), v.description('Only those of this profile.'))),
    state: v.optional(v.pipe(v.picklist(CERTIFICATE_STATES), v.description('Only those that are in this state now.'))),
    search: v.optional(
      v.pipe(v.string(), v.maxLength(128), v.description('Only those with this in a name or in the subject.')),
    ),
    sort: v.optional(
      v.pipe(
        v.picklist(['newest', 'expiry']),
        v.description('Newest first, which is the default, or the first to end.'),
      ),
    ),
  }),
  answers: {
    200: { description: 'A page of the certificates; `next_cursor` leads to the next.', schema: issuedListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query, request }) {
    return { body: await listIssued(db, { ...query, limit: pageLimit(query.limit), now: request.now }) };
  },
});
