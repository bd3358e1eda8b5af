// One API token, without its secret.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { tokenSchema } from '../../shared/kernel/access/schemas.ts';
import { findToken, tokensVisibleTo } from '../../shared/kernel/access/token.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getApiToken',
  method: 'GET',
  path: '/api/v1/tokens/{token_id}',
  access: { scope: 'read:tokens' },
  tag: 'API tokens',
  summary: 'Get an API token',
  description: 'One token, without its secret. A token of another user is not visible, except to an admin.',
  params: idParam('token_id', 'Id of the token.'),
  answers: { 200: { description: 'The token as it is now.', schema: tokenSchema } },
  problems: ['resource_not_found'],
  async run({ db, actor, request, params }) {
    return { body: await findToken(db, params.token_id, request.now, tokensVisibleTo(actor)) };
  },
});
