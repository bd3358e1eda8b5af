// The form that begins to add a passkey; its page then asks the browser for it, which needs the script.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { totpNameSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as beginOwnPasskey } from './begin-passkey.ts';

const PAGE = `${pagePath('second-factors')}/passkeys`;

export const operation = defineForm(
  { of: beginOwnPasskey, path: PAGE, body: totpNameSchema, prepare: async () => undefined },
  {
    page: PAGE,
    confirms: { resource_type: 'user' },
    decode: (fields) => ({ name: fields.text('name') }),
    done: () => ({ location: PAGE }),
    shows: true,
  },
);
