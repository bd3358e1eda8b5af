// The form that imports a root certificate with its key, pasted or from a file.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { fileOf } from '../forms/certificate-fields.ts';
import { operation as importRoot } from './import-root.ts';

const PAGE = `${AUTHORITY_PAGE}/root/import`;

export const operation = defineForm(
  { of: importRoot, path: PAGE, access: { session: 'write:ca' } },
  {
    page: PAGE,
    decode(fields) {
      const file = fileOf(fields, 'file');
      const pem = file.includes('-----BEGIN ') ? file : fields.text('pem');
      const passphrase = fields.values.get('passphrase') ?? '';
      const standing = fields.text('standing');
      const chosen = file !== '' && pem !== file ? { pkcs12: file, passphrase } : { pem };
      return { ...chosen, ...(standing !== '' && { standing }) };
    },
    done: (_answer, fields) => ({
      location: fields.text('standing') === 'next' ? `${AUTHORITY_PAGE}/root/next` : AUTHORITY_PAGE,
      flash: 'The root certificate is imported.',
    }),
    files: ['file'],
    // What is pasted has the private key.
    secret: ['pem', 'passphrase'],
  },
);
