// The form that issues a certificate for a request that was looked at.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { linesOf, numberOf } from '../forms/certificate-fields.ts';
import { operation as signCertificate } from './sign-certificate.ts';

export const operation = defineForm(
  { of: signCertificate, path: pagePath('certificates'), access: { session: 'write:ca' } },
  {
    page: `${pagePath('certificates')}/new`,
    decode: (fields) => ({
      csr: fields.text('csr'),
      profile: fields.text('profile'),
      names: linesOf(fields.text('names')),
      ...numberOf(fields, 'validity_days'),
    }),
    done: ({ body }) => ({
      location: pagePath('certificate', (body as { id: string }).id),
      flash: 'The certificate is issued.',
    }),
  },
);
