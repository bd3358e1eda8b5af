// The button that ends one session of a user.
import { itemPath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as endUserSession } from './end-user-session.ts';

const PAGE = `${pageRoute('user')}/sessions`;

export const operation = formOf(endUserSession, {
  path: `${PAGE}/{session_id}/end`,
  page: PAGE,
  done: (_answer, _fields, { user_id }) => ({
    location: `${itemPath('user', user_id!)}/sessions`,
    flash: 'The session has ended.',
  }),
});
