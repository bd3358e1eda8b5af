// Words of the history of plans.
import type { ListWords } from '../../ground/list-words.ts';

/** It is a record: nothing of it is deleted. */
export const PLANS_LIST: ListWords = { component: 'Plans', noun: 'plan', nouns: 'plans', verbs: [] };
