// The button that ends one of the own sessions.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as endOwnSession } from './end-session.ts';

const PAGE = pagePath('account');

export const operation = formOf(endOwnSession, {
  path: `${PAGE}/sessions/{session_id}/end`,
  page: PAGE,
  done: () => ({ location: PAGE, flash: 'The session has ended.' }),
});
