// Ends the user's sessions in other browsers, and all at clients of the OpenID Connect provider. This session goes on.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { EndedSessions } from '../../shared/kernel/access/credentials.ts';
import { endedSessionsWords } from '../../shared/kernel/access/ended-words.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as endOwnSessions } from './end-sessions.ts';

const PAGE = pagePath('account');

export const operation = defineForm(
  {
    of: endOwnSessions,
    id: 'endOtherSessionsForm',
    path: `${PAGE}/end-other-sessions`,
    summary: 'End your other sessions',
    description:
      'Ends every session of the user except the calling one, and all at the OpenID Connect provider. API tokens go on.',
  },
  {
    page: PAGE,
    decode: () => ({}),
    done: (answer) => ({ location: PAGE, flash: endedSessionsWords(answer.body as EndedSessions) }),
  },
);
