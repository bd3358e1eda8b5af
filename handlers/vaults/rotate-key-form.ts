// The button that gives the vaults a new key.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as rotateVaultKey } from './rotate-key.ts';

export const operation = defineForm(
  { of: rotateVaultKey, path: pagePath('vault-key'), access: { session: 'write:vaults' } },
  {
    page: pagePath('vault-key'),
    decode: () => undefined,
    done: ({ body }) => ({ location: pagePath('job', (body as { job_id: string }).job_id) }),
  },
);
