// The form that saves the external provider; an empty secret keeps the stored one, which is never part of the form.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as putSignInProvider } from './put-provider.ts';

/** `group = role`, one per line; the last sign counts, since groups may have one. */
function mappingOf(text: string): { group: string; role: string }[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => {
    const cut = line.lastIndexOf('=');
    return cut < 0 ? { group: line, role: '' } : { group: line.slice(0, cut).trim(), role: line.slice(cut + 1).trim() };
  });
}

export const operation = formOf(putSignInProvider, {
  path: pagePath('sign-in-provider'),
  secret: ['client_secret'],
  confirms: { resource_type: 'sign_in_provider' },
  decode: (fields) => ({
    name: fields.text('name'),
    enabled: fields.checked('enabled'),
    issuer: fields.text('issuer'),
    client_id: fields.text('client_id'),
    ...(fields.text('client_secret') !== '' && { client_secret: fields.text('client_secret') }),
    scopes: fields.list('scopes'),
    groups_claim: fields.text('groups_claim'),
    roles: mappingOf(fields.text('roles')),
    trusted_contexts: fields.list('trusted_contexts'),
  }),
  done: () => ({ location: pagePath('sign-in-provider'), flash: 'The external provider is saved.' }),
});
