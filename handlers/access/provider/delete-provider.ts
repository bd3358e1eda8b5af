// Deletes the external provider.
import { removeProvider } from '../../../shared/kernel/access/external/provider.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'deleteSignInProvider',
  method: 'DELETE',
  path: '/api/v1/sign-in-provider',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: 'Users',
  summary: 'Delete the external provider',
  description:
    'Changes application state immediately: the client secret is deleted, the sessions of its users end, and nobody can sign in there. Their accounts stay, and work again when the same issuer is saved later; delete or disable them as users. Works while an apply runs.',
  answers: { 204: { description: 'The provider is gone.' } },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition'],
  audit: ['sign_in_provider.delete'],
  async run({ tx, request, audit }) {
    const { provider, sessions_ended } = await removeProvider(tx, request.if_match);
    const { name, issuer } = provider;
    const detail = { name, issuer, sessions_ended };
    audit({ action: 'sign_in_provider.delete', resource_type: 'sign_in_provider', resource_id: null, detail });
    return { status: 204 };
  },
});
