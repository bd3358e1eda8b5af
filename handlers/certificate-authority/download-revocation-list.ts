// The revocation list as a file, for programs.
import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listFile } from '../../shared/platform/certificate-authority/list-file.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const listQuery = v.strictObject({
  authority_id: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.description('Id of a former root certificate. Default: the one that signs.')),
  ),
  format: v.optional(v.pipe(v.picklist(['der', 'pem']), v.description('`der`, which is the default, or `pem`.'))),
});

export const operation = defineOperation({
  id: 'downloadRevocationList',
  method: 'GET',
  path: `${AUTHORITY_PATH}/root/revocation-list`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'Download the revocation list',
  description:
    'The list of revoked certificates (RFC 5280) as it was last signed: at each revocation, and every day. It holds for seven days. Not found while there is no root, and until the first list is signed, minutes after the root was made. The portal publishes the same list, at an address that certificates name while it is in force.',
  query: listQuery,
  answers: { 200: { description: 'The revocation list.', media: 'application/pkix-crl' } },
  problems: ['resource_not_found'],
  run: ({ db, query }) => listFile(db, query),
});
