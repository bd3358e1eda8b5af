// Where the type of a problem document leads to, on the management plane.
import { definePlainPage } from '../layout/define-page.tsx';
import { KindView, kindPage, kindParams, kindTitle } from './problem-kind-view.tsx';

export const page = definePlainPage({
  id: 'problemKindPage',
  path: '/problems/{kind}',
  plane: 'management',
  params: kindParams,
  load: async ({ services, params }) => kindPage(params.kind, services.settings.base_url),
  title: kindTitle,
  view: ({ data }) => <KindView {...data} />,
});
