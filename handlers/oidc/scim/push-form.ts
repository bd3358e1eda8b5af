// The button that pushes users and groups to a SCIM target.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as pushOidcScim } from './push.ts';

export const operation = formOf(pushOidcScim, {
  path: `${pageRoute('oidc-scim')}/push`,
  page: pageRoute('oidc-scim'),
  done: ({ body }) => ({ location: pagePath('job', (body as { job_id: string }).job_id) }),
});
