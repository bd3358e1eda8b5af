// The page of a refusal to somebody who is signed in: what was asked for is not there, or not his, and the navigation stays.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { definePage } from '../layout/define-page.tsx';
import { ProblemView, titleOf } from './problem-view.tsx';

export const page = definePage({
  id: 'refusalPage',
  path: pagePath('refusal'),
  access: { session: 'any' },
  load: async ({ outcome }): Promise<{ problem: FormOutcome['problem'] }> => ({ problem: outcome?.problem ?? null }),
  title: ({ problem }) => titleOf(problem),
  view: ({ data, state }) => (
    <ProblemView problem={data.problem} now={state.now} home={pagePath('overview')} management />
  ),
});
