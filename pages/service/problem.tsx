// The page of any refusal on the management plane. Public, because the refused caller may have no session.
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { definePlainPage } from '../layout/define-page.tsx';
import { ROOT } from '../layout/navigation.ts';
import { ProblemView, titleOf } from './problem-view.tsx';

export const page = definePlainPage({
  id: 'problemPage',
  path: `${ROOT}/problem`,
  plane: 'management',
  load: async ({ outcome }): Promise<{ problem: FormOutcome['problem'] }> => ({ problem: outcome?.problem ?? null }),
  title: ({ problem }) => titleOf(problem),
  view: ({ data, state }) => <ProblemView problem={data.problem} now={state.now} home={ROOT} management />,
});
