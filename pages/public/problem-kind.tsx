// Where the type of a problem document leads to, on the public plane.
import { originOf } from '../../shared/kernel/operation/problem-document.ts';
import { definePlainPage } from '../layout/define-page.tsx';
import { KindView, kindPage, kindParams, kindTitle } from '../service/problem-kind-view.tsx';

export const page = definePlainPage({
  id: 'publicProblemKindPage',
  path: '/problems/{kind}',
  plane: 'public',
  params: kindParams,
  load: async ({ services, params, request }) => kindPage(params.kind, originOf(services, request)),
  title: kindTitle,
  view: ({ data }) => <KindView {...data} />,
});
