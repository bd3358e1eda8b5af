// The button that deletes the SCIM target of a client.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteOidcScimTarget } from './delete-target.ts';

export const operation = formOf(deleteOidcScimTarget, {
  path: `${pageRoute('oidc-scim')}/delete`,
  page: pageRoute('oidc-scim'),
  done: (_answer, _fields, { oidc_client_id }) => ({
    location: itemPath('oidc-client', oidc_client_id!),
    flash: 'The SCIM target is deleted. What is there stays there.',
  }),
});
