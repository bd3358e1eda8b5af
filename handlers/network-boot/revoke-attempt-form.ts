// The button that revokes a boot attempt.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as revokeAttempt } from './revoke-attempt.ts';

const PAGE = pagePath('boot-waiting');

export const operation = formOf(revokeAttempt, {
  path: `${PAGE}/{attempt_id}/revoke`,
  page: PAGE,
  done: (answer) => ({
    location: PAGE,
    flash: `The boot of ${(answer.body as { hostname: string }).hostname} is revoked.`,
  }),
});
