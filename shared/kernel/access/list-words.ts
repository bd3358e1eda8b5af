// Words of the lists of users and API tokens.
import { DELETE, DISABLE, ENABLE, type ListWords, REVOKE } from '../../ground/list-words.ts';

/** Each asks, since each needs the own password. */
export const USERS_LIST: ListWords = {
  component: 'Users',
  noun: 'user',
  nouns: 'users',
  verbs: [{ ...ENABLE, keep: 'Leave as it is' }, { ...DISABLE, keep: 'Leave as it is' }, DELETE],
};

export const TOKENS_LIST: ListWords = { component: 'ApiTokens', noun: 'token', nouns: 'tokens', verbs: [REVOKE] };
