// The form that issues a certificate with a new key; its page gives both once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { linesOf } from '../forms/certificate-fields.ts';
import { operation as createWithKey } from './create-certificate-with-key.ts';

const PAGE = `${pagePath('certificates')}/with-key`;

export const operation = defineForm(
  { of: createWithKey, path: PAGE, access: { session: 'write:ca' } },
  {
    page: PAGE,
    decode: (fields) => ({
      profile: fields.text('profile'),
      names: linesOf(fields.text('names')),
      key_algorithm: fields.text('key_algorithm'),
      passphrase: fields.values.get('passphrase') ?? '',
    }),
    done: () => ({ location: pagePath('certificates') }),
    secret: ['passphrase'],
    shows: true,
  },
);
