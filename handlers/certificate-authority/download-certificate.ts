// A certificate as a file, for programs.
import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { FORMATS } from '../../shared/platform/certificate-authority/file-formats.ts';
import { issuedFile } from '../../shared/platform/certificate-authority/issued-file.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  certificateParam,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const formatQuery = v.strictObject({
  format: v.optional(
    v.pipe(
      v.picklist(FORMATS),
      v.description(
        '`pem`, which is the default; `chain`: PEM with what signed it; `der`; `pkcs7`: with what signed it.',
      ),
    ),
  ),
});

export const operation = defineOperation({
  id: 'downloadCertificate',
  method: 'GET',
  path: `${AUTHORITY_PATH}/certificates/{certificate_id}/file`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'Download a certificate',
  description: 'The certificate as PEM, DER or PKCS #7. Never a private key.',
  params: certificateParam,
  query: formatQuery,
  answers: {
    200: { description: 'The certificate in the format that was asked for.', media: 'application/octet-stream' },
  },
  problems: ['resource_not_found'],
  run: ({ db, params, query }) => issuedFile(db, params.certificate_id, query.format),
});
