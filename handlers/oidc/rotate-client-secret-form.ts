// The form that makes a new secret of a client; its page shows it once.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as rotateOidcClientSecret } from './rotate-client-secret.ts';

const HOUR = 3600;

export const operation = formOf(rotateOidcClientSecret, {
  path: `${pageRoute('oidc-client')}/rotate-secret`,
  decode: (fields) => {
    const hours = fields.integer('overlap_hours');
    return { overlap_seconds: typeof hours === 'number' ? hours * HOUR : hours };
  },
  done: () => ({ location: pagePath('oidc-clients') }),
  shows: true,
});
