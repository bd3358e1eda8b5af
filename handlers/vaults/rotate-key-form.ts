// The form that gives the vaults a new key; it is on a page of its own, which says what it does.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as rotateVaultKey } from './rotate-key.ts';

export const operation = formOf(rotateVaultKey, {
  path: pagePath('vault-key'),
  page: pagePath('rotate-vault-key'),
  done: ({ body }) => ({ location: pagePath('job', (body as { job_id: string }).job_id) }),
});
