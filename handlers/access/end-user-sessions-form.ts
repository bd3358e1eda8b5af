// The button that ends all sessions of a user.
import { itemPath, pageRoute } from '../../shared/ground/page-paths.ts';
import type { EndedSessions } from '../../shared/kernel/access/credentials.ts';
import { endedSessionsWords } from '../../shared/kernel/access/ended-words.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as endUserSessions } from './end-user-sessions.ts';

const PAGE = `${pageRoute('user')}/sessions`;

export const operation = formOf(endUserSessions, {
  path: `${PAGE}/end`,
  page: PAGE,
  done: (answer, _fields, { user_id }) => ({
    location: `${itemPath('user', user_id!)}/sessions`,
    flash: endedSessionsWords(answer.body as EndedSessions),
  }),
});
