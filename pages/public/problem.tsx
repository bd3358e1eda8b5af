// The page of any refusal on the public plane.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { definePlainPage } from '../layout/define-page.tsx';
import { ProblemView, titleOf } from '../service/problem-view.tsx';

export const page = definePlainPage({
  id: 'publicProblemPage',
  path: pagePath('public-problem'),
  plane: 'public',
  load: async ({ outcome }): Promise<{ problem: FormOutcome['problem'] }> => ({ problem: outcome?.problem ?? null }),
  title: ({ problem }) => titleOf(problem),
  view: ({ data, state }) => (
    <ProblemView problem={data.problem} now={state.now} home={pagePath('public')} management={false} />
  ),
});
