// The API tokens of the list as a CSV file: what each is for and may do, and nothing of its secret.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { TOKENS_LIST } from '../../shared/kernel/access/list-words.ts';
import { listTokens, tokenFilter, tokensVisibleTo } from '../../shared/kernel/access/token.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: TOKENS_LIST,
  path: pagePath('api-tokens'),
  scope: 'read:tokens',
  by: ['search', 'sort', 'state'],
  head: [
    'id',
    'name',
    'state',
    'scopes',
    'created_by',
    'created_at',
    'expires_at',
    'last_used_at',
    'last_used_from',
    'revoked_at',
  ],
  async rows({ db, actor, request, query }, page) {
    const asked = { ...tokenFilter(query), user_id: tokensVisibleTo(actor), ...page };
    const found = await listTokens(db, request.now, asked);
    return {
      ...found,
      items: found.items.map((token) => [
        token.id,
        token.name,
        token.state,
        token.scopes.join(' '),
        token.created_by,
        token.created_at,
        token.expires_at,
        token.last_used_at,
        token.last_used_from,
        token.revoked_at,
      ]),
    };
  },
});
