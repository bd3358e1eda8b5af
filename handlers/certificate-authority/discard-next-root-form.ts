// The button that discards the next root certificate.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { operation as discardNextRoot } from './discard-next-root.ts';

export const operation = defineForm(
  { of: discardNextRoot, path: `${AUTHORITY_PAGE}/root/next/discard`, access: { session: 'write:ca' } },
  {
    page: `${AUTHORITY_PAGE}/root/next`,
    decode: () => undefined,
    done: () => ({ location: `${AUTHORITY_PAGE}`, flash: 'The next root certificate is gone.' }),
  },
);
