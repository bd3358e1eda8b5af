// Lists API tokens, without secrets.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { tokenListSchema } from '../../shared/kernel/access/schemas.ts';
import { listTokens, tokensVisibleTo } from '../../shared/kernel/access/token.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listApiTokens',
  method: 'GET',
  path: '/api/v1/tokens',
  access: { scope: 'read:tokens' },
  tag: 'API tokens',
  summary: 'List API tokens',
  description: 'All tokens for an admin, otherwise those of the calling user; newest first.',
  query: v.strictObject({
    ...PAGE_QUERY,
    name: v.optional(v.pipe(v.string(), v.description('Only tokens of exactly this name.'))),
  }),
  answers: { 200: { description: 'A page of the tokens; `next_cursor` leads to the next.', schema: tokenListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, actor, request, query }) {
    const wanted = { ...query, limit: pageLimit(query.limit), user_id: tokensVisibleTo(actor) };
    return { body: await listTokens(db, request.now, wanted) };
  },
});
