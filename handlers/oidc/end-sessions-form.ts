// The button that ends all sessions of one person at the OpenID Connect provider.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as endOidcSessions } from './end-sessions.ts';

const PAGE = pagePath('oidc-sessions');

export const operation = formOf(endOidcSessions, {
  path: `${PAGE}/end`,
  page: PAGE,
  decode: (fields) => ({ subject: fields.text('subject') }),
  done: (answer) => {
    const { oidc_sessions_ended } = answer.body as { oidc_sessions_ended: number };
    return { location: PAGE, flash: `Sessions ended: ${oidc_sessions_ended}.` };
  },
});
