// What the appliance knows of the unit "Web terminal".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'web-terminal',
  order: 120,
  name: 'Web terminal',
  resources: { terminal: 'service-admin' },
  group: 'Operations',
  tags: {
    'Web terminal': 'The appliance’s terminal in the browser.',
  },
  pages: [{ page: 'web-terminal', label: 'Web terminal', resource: 'terminal' }],
  enforces: ['web-terminal'],
  listeners: [
    {
      key: 'web-terminal',
      label: 'Web terminal',
      page: pagePath('web-terminal'),
      lastBinding: 'refuse',
      opens: [],
    },
  ],
  comes_back: null,
  tables: [],
};
