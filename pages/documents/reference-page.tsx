// Serves the API reference.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { PAGE_OPEN_QUERY, rendered } from '../layout/define-page.tsx';
import { assetPath, documentTheme } from './api-bar.tsx';
import { DOCUMENT_HEADERS, keptDocument } from './kept-document.ts';
import { ApiReferenceDocument } from './reference.tsx';

const document = keptDocument((assets, theme) => {
  const files = {
    js: assetPath(assets, 'reference.js'),
    css: assetPath(assets, 'reference.css'),
    worker: assetPath(assets, 'reference.worker'),
  };
  return rendered(<ApiReferenceDocument assets={files} specUrl="/openapi.json" theme={theme} />);
});

export const page = defineOperation({
  id: 'apiReferencePage',
  method: 'GET',
  path: '/api/redoc',
  plane: 'management',
  access: 'public',
  effect: 'read',
  openQuery: PAGE_OPEN_QUERY,
  tag: 'Pages',
  summary: 'API reference',
  description: 'The REST API to read.',
  answers: { 200: { description: 'The page.' } },
  async run({ services, request }) {
    const theme = documentTheme(request.cookies.groundcrew_theme);
    return { constant: document(services.settings.assets, theme), headers: DOCUMENT_HEADERS };
  },
});
