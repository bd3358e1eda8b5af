// Serves the API reference.
import { defineOperation } from '../../shared/operation/define-operation.ts';
import { rendered } from '../layout/define-page.tsx';
import { assetPath, documentTheme } from './api-bar.tsx';
import { ApiReferenceDocument } from './reference.tsx';

export const page = defineOperation({
  id: 'apiReferencePage',
  method: 'GET',
  path: '/api/redoc',
  plane: 'management',
  access: 'public',
  effect: 'read',
  tag: 'Pages',
  summary: 'API reference',
  description: 'The REST API to read.',
  answers: { 200: { description: 'The page.' } },
  async run({ services, request }) {
    const { assets } = services.settings;
    const files = {
      js: assetPath(assets, 'reference.js'),
      css: assetPath(assets, 'reference.css'),
      worker: assetPath(assets, 'reference.worker'),
    };
    const theme = documentTheme(request.cookies.groundcrew_theme);
    return { html: rendered(<ApiReferenceDocument assets={files} specUrl="/openapi.json" theme={theme} />) };
  },
});
