// Serves the API explorer.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { PAGE_OPEN_QUERY, rendered } from '../layout/define-page.tsx';
import { assetPath, documentTheme } from './api-bar.tsx';
import { ApiExplorerDocument } from './explorer.tsx';
import { DOCUMENT_HEADERS, keptDocument } from './kept-document.ts';

const document = keptDocument((assets, theme) => {
  const files = {
    js: assetPath(assets, 'swagger.js'),
    css: assetPath(assets, 'swagger.css'),
    init: assetPath(assets, 'swagger.init'),
  };
  return rendered(<ApiExplorerDocument assets={files} specUrl="/openapi.json" theme={theme} />);
});

export const page = defineOperation({
  id: 'apiExplorerPage',
  method: 'GET',
  path: '/api/docs',
  plane: 'management',
  access: 'public',
  effect: 'read',
  openQuery: PAGE_OPEN_QUERY,
  tag: 'Pages',
  summary: 'API explorer',
  description: 'Tries the REST API out in the browser.',
  answers: { 200: { description: 'The page.' } },
  async run({ services, request }) {
    const theme = documentTheme(request.cookies.groundcrew_theme);
    return { constant: document(services.settings.assets, theme), headers: DOCUMENT_HEADERS };
  },
});
