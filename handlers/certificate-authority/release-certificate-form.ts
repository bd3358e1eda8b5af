// The button that takes a certificate off hold.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as releaseCertificate } from './release-certificate.ts';

export const operation = defineForm(
  { of: releaseCertificate, path: `${pageRoute('certificate')}/release`, access: { session: 'write:ca' } },
  {
    page: pageRoute('certificate'),
    decode: () => undefined,
    done: (_answer, _fields, { certificate_id }) => ({
      location: pagePath('certificate', certificate_id!),
      flash: 'The certificate is valid again.',
    }),
  },
);
