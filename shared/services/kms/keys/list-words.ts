// Words of the list of keys.
import type { ListWords } from '../../../ground/list-words.ts';

/** Clients destroy keys; a person brings one back on its own page. */
export const KEYS_LIST: ListWords = { component: 'KmsKeys', noun: 'key', nouns: 'keys', verbs: [] };
