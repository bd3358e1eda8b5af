// The button below the list of API tokens, for those that were chosen.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { TOKENS_LIST } from '../../shared/kernel/access/list-words.ts';
import { findToken, newestTokensFirst } from '../../shared/kernel/access/token.ts';
import { rowsForm } from '../forms/row-list.ts';
import { operation as revokeToken } from './revoke-token.ts';

export const operation = rowsForm({
  words: TOKENS_LIST,
  param: 'token_id',
  verbs: { revoke: revokeToken },
  name: async (db, id) => (await findToken(db, id, new Date(0))).name,
  // What a token made ends with it, and what has ended is not revoked again.
  order: newestTokensFirst,
  page: pagePath('api-tokens'),
  path: `${pagePath('api-tokens')}/chosen`,
  kept: ['search', 'sort', 'state', 'cursor'],
});
