// Serves the API explorer.
import { defineOperation } from '../../shared/operation/define-operation.ts';
import { rendered } from '../layout/define-page.tsx';
import { assetPath, documentTheme } from './api-bar.tsx';
import { ApiExplorerDocument } from './explorer.tsx';

export const page = defineOperation({
  id: 'apiExplorerPage',
  method: 'GET',
  path: '/api/docs',
  plane: 'management',
  access: 'public',
  effect: 'read',
  tag: 'Pages',
  summary: 'API explorer',
  description: 'Tries the REST API out in the browser.',
  answers: { 200: { description: 'The page.' } },
  async run({ services, request }) {
    const { assets } = services.settings;
    const files = {
      js: assetPath(assets, 'swagger.js'),
      css: assetPath(assets, 'swagger.css'),
      init: assetPath(assets, 'swagger.init'),
    };
    const theme = documentTheme(request.cookies.groundcrew_theme);
    return { html: rendered(<ApiExplorerDocument assets={files} specUrl="/openapi.json" theme={theme} />) };
  },
});
