// Words of the list of alerts.
import type { ListWords } from '../../ground/list-words.ts';

/** Each is acknowledged by itself, by whoever looked into it. */
export const ALERTS_LIST: ListWords = { component: 'Alerts', noun: 'alert', nouns: 'alerts', verbs: [] };
