// The button that revokes a boot attempt.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as revokeAttempt } from './revoke-attempt.ts';

const PAGE = pagePath('boot-waiting');

export const operation = defineForm(
  { of: revokeAttempt, path: `${PAGE}/{attempt_id}/revoke`, access: { session: 'write:pxe' } },
  {
    page: PAGE,
    decode: () => undefined,
    done: (answer) => ({
      location: PAGE,
      flash: `The boot of ${(answer.body as { hostname: string }).hostname} is revoked.`,
    }),
  },
);
