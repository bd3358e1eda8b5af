// The button that ends a session at the OpenID Connect provider.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as endOidcSession } from './end-session.ts';

const PAGE = pagePath('oidc-sessions');

export const operation = formOf(endOidcSession, {
  path: `${PAGE}/{session_id}/end`,
  page: PAGE,
  done: () => ({ location: PAGE, flash: 'The session has ended.' }),
});
