// The form that uploads a certificate with its key, pasted or from files.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { prepareUpload } from '../../shared/services/management-tls/prepare-upload.ts';
import { uploadFormSchema } from '../../shared/services/management-tls/schemas.ts';
import { fileOf } from '../forms/certificate-fields.ts';
import { operation as uploadCertificate } from './upload-certificate.ts';

const PAGE = pagePath('management-tls-upload');

export const operation = defineForm(
  {
    of: uploadCertificate,
    path: PAGE,
    body: uploadFormSchema,
    prepare: ({ services, body }) => prepareUpload(services, body),
  },
  {
    page: PAGE,
    confirms: { resource_type: 'management_certificate' },
    decode(fields) {
      const file = fileOf(fields, 'file');
      const isPem = file.includes('-----BEGIN ');
      if (file !== '' && !isPem) return { pkcs12: file, passphrase: fields.values.get('passphrase') ?? '' };
      // One file may have both.
      const certificate = isPem ? file : fields.text('certificate');
      return { certificate, private_key: fields.text('private_key') || certificate };
    },
    done: () => ({
      location: pagePath('management-tls'),
      flash: 'The certificate is saved. The management UI shows it after the next apply, which you confirm.',
    }),
    files: ['file'],
    secret: ['private_key', 'passphrase'],
  },
);
