// The button that gives the vaults a new key.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as rotateVaultKey } from './rotate-key.ts';

export const operation = defineForm(
  { of: rotateVaultKey, path: '/ui/management/vaults/key', access: { session: 'write:vaults' } },
  {
    page: '/ui/management/vaults/key',
    decode: () => undefined,
    done: ({ body }) => ({ location: `/ui/management/jobs/${(body as { job_id: string }).job_id}` }),
  },
);
