// Lists API tokens, without secrets.
import * as v from 'valibot';
import { tokenListSchema } from '../../shared/access/schemas.ts';
import { listTokens, tokensVisibleTo } from '../../shared/access/token.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listApiTokens',
  method: 'GET',
  path: '/api/v1/tokens',
  plane: 'api',
  access: { scope: 'read:tokens' },
  effect: 'read',
  tag: 'API tokens',
  summary: 'List API tokens',
  description: 'All tokens for an admin, otherwise those of the calling user; newest first, on one page.',
  query: v.strictObject({ name: v.optional(v.pipe(v.string(), v.description('Only tokens of exactly this name.'))) }),
  answers: { 200: { description: 'The tokens.', schema: tokenListSchema } },
  async run({ db, actor, request, query }) {
    const tokens = await listTokens(db, request.now, tokensVisibleTo(actor));
    const items = query.name === undefined ? tokens : tokens.filter((token) => token.name === query.name);
    return { body: { items, next_cursor: null } };
  },
});
