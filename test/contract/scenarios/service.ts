// The service itself, and the pages for anybody.
import type { Scenarios } from './scenario.ts';

const kind = async () => ({ kind: 'conflict' });

export const SERVICE: Scenarios = {
  problemKindPage: { given: kind },
  helpSubjectPage: { given: async () => ({ subject: 'start' }) },
  publicProblemKindPage: { given: kind },
};
