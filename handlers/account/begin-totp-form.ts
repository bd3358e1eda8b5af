// The form that begins to add an authenticator; its page shows the secret once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { totpNameSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as beginOwnTotp } from './begin-totp.ts';

const PAGE = `${pagePath('second-factors')}/totp`;

export const operation = defineForm(
  { of: beginOwnTotp, path: PAGE, body: totpNameSchema, prepare: async () => undefined },
  {
    page: PAGE,
    confirms: { resource_type: 'user' },
    decode: (fields) => ({ name: fields.text('name') }),
    done: () => ({ location: PAGE }),
    shows: true,
  },
);
