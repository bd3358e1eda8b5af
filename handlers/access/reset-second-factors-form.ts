// The form that resets the second factors of a user.

import { itemPath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as resetUserSecondFactors } from './reset-second-factors.ts';

export const operation = formOf(resetUserSecondFactors, {
  path: `${pageRoute('user')}/second-factors`,
  confirms: { resource_type: 'user' },
  done: (answer, _fields, { user_id }) => {
    const { factors_removed, sessions_ended } = answer.body as { factors_removed: number; sessions_ended: number };
    const flash = `Second factors removed: ${factors_removed}. Sessions ended: ${sessions_ended}.`;
    return { location: itemPath('user', user_id!), flash };
  },
});
