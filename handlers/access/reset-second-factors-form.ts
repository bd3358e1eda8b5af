// The form that resets the second factors of a user.

import { itemPath, pageRoute } from '../../shared/ground/page-paths.ts';
import type { EndedSessions } from '../../shared/kernel/access/credentials.ts';
import { endedSessionsWords } from '../../shared/kernel/access/ended-words.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as resetUserSecondFactors } from './reset-second-factors.ts';

export const operation = formOf(resetUserSecondFactors, {
  path: `${pageRoute('user')}/second-factors`,
  confirms: { resource_type: 'user' },
  done: (answer, _fields, { user_id }) => {
    const { factors_removed, ...ended } = answer.body as { factors_removed: number } & EndedSessions;
    const flash = `Second factors removed: ${factors_removed}. ${endedSessionsWords(ended)}`;
    return { location: itemPath('user', user_id!), flash };
  },
});
