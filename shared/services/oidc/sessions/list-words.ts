// Words of the list of sessions.
import type { ListWords } from '../../../ground/list-words.ts';

/** One is ended by itself, or all of its person. */
export const SESSIONS_LIST: ListWords = { component: 'OidcSessions', noun: 'session', nouns: 'sessions', verbs: [] };
