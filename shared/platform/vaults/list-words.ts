// Words of the lists of vaults and of a vault's entries.
import { DELETE, type ListWords } from '../../ground/list-words.ts';

/** Each is deleted on its own page, which says what is lost with it. */
export const VAULTS_LIST: ListWords = { component: 'Vaults', noun: 'vault', nouns: 'vaults', verbs: [] };

export const ENTRIES_LIST: ListWords = {
  component: 'VaultEntries',
  noun: 'entry',
  nouns: 'entries',
  verbs: [DELETE],
};
