// The button that lets the next root certificate sign.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { operation as takeOverRoot } from './take-over-root.ts';

export const operation = defineForm(
  { of: takeOverRoot, path: `${AUTHORITY_PAGE}/root/next/take-over`, access: { session: 'write:ca' } },
  {
    page: `${AUTHORITY_PAGE}/root/next`,
    decode: () => undefined,
    done: () => ({ location: `${AUTHORITY_PAGE}`, flash: 'The next root certificate signs from now on.' }),
  },
);
