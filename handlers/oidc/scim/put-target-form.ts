// The form that saves the SCIM target of a client; an empty token keeps the stored one, which is never part of the form.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { linesOf } from '../../forms/certificate-fields.ts';
import { operation as putOidcScimTarget } from './put-target.ts';

export const operation = formOf(putOidcScimTarget, {
  path: pageRoute('oidc-scim'),
  secret: ['token'],
  decode: (fields) => ({
    base_url: fields.text('base_url'),
    ...(fields.text('token') !== '' && { token: fields.text('token') }),
    enabled: fields.checked('enabled'),
    groups: linesOf(fields.text('groups')),
    domain: fields.text('domain'),
    departed: fields.text('departed'),
  }),
  done: (_answer, _fields, { oidc_client_id }) => ({
    location: itemPath('oidc-scim', oidc_client_id!),
    flash: 'The SCIM target is saved.',
  }),
});
