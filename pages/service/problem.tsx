// The page of any refusal on the management plane. Public, because the refused caller may have no session.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { definePlainPage } from '../layout/define-page.tsx';
import { ProblemView, titleOf } from './problem-view.tsx';

export const page = definePlainPage({
  id: 'problemPage',
  path: pagePath('problem'),
  plane: 'management',
  load: async ({ outcome }): Promise<{ problem: FormOutcome['problem'] }> => ({ problem: outcome?.problem ?? null }),
  title: ({ problem }) => titleOf(problem),
  view: ({ data, state }) => (
    <ProblemView problem={data.problem} now={state.now} home={pagePath('overview')} management />
  ),
});
