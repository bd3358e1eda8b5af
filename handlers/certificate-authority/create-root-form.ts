// The button that makes the root certificate.

import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { operation as createRoot } from './create-root.ts';

export const operation = defineForm(
  { of: createRoot, path: AUTHORITY_PAGE, access: { session: 'write:ca' } },
  {
    page: AUTHORITY_PAGE,
    decode: () => undefined,
    done: () => ({ location: AUTHORITY_PAGE, flash: 'The root certificate is made.' }),
  },
);
