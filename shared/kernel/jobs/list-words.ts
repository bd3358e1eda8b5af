// Words of the list of jobs.
import type { ListWords } from '../../ground/list-words.ts';

export const JOBS_LIST: ListWords = {
  component: 'Jobs',
  noun: 'job',
  nouns: 'jobs',
  verbs: [{ value: 'cancel', label: 'Cancel', was: 'asked to stop', keep: 'Let it go on', bad: true }],
};
