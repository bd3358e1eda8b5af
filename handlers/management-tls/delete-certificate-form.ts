// The button that removes the uploaded certificate, on the page that asks for confirmation.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteCertificate } from './delete-certificate.ts';

export const operation = formOf(deleteCertificate, {
  path: pagePath('management-tls-remove'),
  done: () => ({ location: pagePath('management-tls'), flash: 'The uploaded certificate and its key are gone.' }),
});
