// The button that looks at the certificate of a receiver; it is shown on the receiver's page.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as lookAtCertificate } from './look-at-certificate.ts';

export const operation = formOf(lookAtCertificate, {
  path: `${pageRoute('alert-receiver')}/look-at-certificate`,
  page: pageRoute('alert-receiver'),
  done: (_answer, _fields, { receiver_id }) => ({ location: itemPath('alert-receiver', receiver_id!) }),
  shows: true,
});
