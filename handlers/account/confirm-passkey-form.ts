// The form that the script sends when the browser has made the passkey; its page shows the recovery codes once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { credentialIn } from '../../shared/kernel/access/second-factor/passkey-schemas.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as confirmOwnPasskey } from './confirm-passkey.ts';

const PAGE = `${pagePath('second-factors')}/passkeys`;

export const operation = defineForm(
  { of: confirmOwnPasskey, path: `${PAGE}/{registration_id}/confirm` },
  {
    page: PAGE,
    secret: 'all',
    decode: (fields) => ({ credential: credentialIn(fields.values.get('credential') ?? '') }),
    done: () => ({ location: PAGE }),
    shows: true,
  },
);
