// The button that makes the next root certificate.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { operation as createNextRoot } from './create-next-root.ts';

export const operation = defineForm(
  { of: createNextRoot, path: `${AUTHORITY_PAGE}/root/next`, access: { session: 'write:ca' } },
  {
    page: `${AUTHORITY_PAGE}/root/next`,
    decode: () => undefined,
    done: () => ({
      location: `${AUTHORITY_PAGE}/root/next`,
      flash: 'The next root certificate is made. Have machines trust it.',
    }),
  },
);
