// Revokes an API token at once.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { tokenRevokedSchema } from '../../shared/kernel/access/schemas.ts';
import { revokeToken, tokensVisibleTo } from '../../shared/kernel/access/token.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'revokeApiToken',
  method: 'POST',
  path: '/api/v1/tokens/{token_id}/revoke',
  access: { scope: 'write:tokens' },
  effect: 'immediate',
  // A leaked token must be stoppable at any moment, also while an apply runs.
  guarded: false,
  tag: 'API tokens',
  summary: 'Revoke an API token',
  description:
    'Stops the token at once, and every token that was created with it. Changes application state immediately. A revoked or expired token is a conflict.',
  params: idParam('token_id', 'Id of the token.'),
  answers: { 200: { description: 'The revoked token, and how many ended with it.', schema: tokenRevokedSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['token.revoke'],
  async run({ tx, actor, request, params, audit }) {
    const { token, ended } = await revokeToken(tx, params.token_id, request.now, tokensVisibleTo(actor));
    const also = ended.filter((id) => id !== token.id);
    const detail = {
      name: token.name,
      ...(also.length > 0 && { also_ended: also.length, token_ids: also.slice(0, 100) }),
    };
    audit({ action: 'token.revoke', resource_type: 'token', resource_id: token.id, detail });
    return { body: { ...token, tokens_ended: ended.length } };
  },
});
