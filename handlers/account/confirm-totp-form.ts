// The form that confirms an authenticator; its page shows the recovery codes once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as confirmOwnTotp } from './confirm-totp.ts';

const PAGE = `${pagePath('second-factors')}/totp`;

export const operation = defineForm(
  { of: confirmOwnTotp, path: `${pagePath('second-factors')}/{factor_id}/confirm` },
  {
    page: PAGE,
    secret: ['code'],
    decode: (fields) => ({ code: fields.text('code') }),
    done: () => ({ location: PAGE }),
    shows: true,
  },
);
