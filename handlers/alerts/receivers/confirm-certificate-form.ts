// The button that confirms the certificate that was looked at.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as confirmCertificate } from './confirm-certificate.ts';

export const operation = formOf(confirmCertificate, {
  path: `${pageRoute('alert-receiver')}/confirm-certificate`,
  page: pageRoute('alert-receiver'),
  decode: (fields) => ({ sha256: fields.text('sha256') }),
  done: (_answer, _fields, { receiver_id }) => ({
    location: itemPath('alert-receiver', receiver_id!),
    flash: 'The certificate is confirmed.',
  }),
});
