// Words of the list of a vault's entries.
import { DELETE, type ListWords } from '../../ground/list-words.ts';

export const ENTRIES_LIST: ListWords = {
  component: 'VaultEntries',
  noun: 'entry',
  nouns: 'entries',
  verbs: [DELETE],
};
