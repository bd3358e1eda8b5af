// Reads the settings of the public pages.
import { publicSettingsSchema, readPublicSettings } from '../../shared/appliance/overview/public-settings.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getPublicPagesSettings',
  method: 'GET',
  path: '/api/v1/public-pages/settings',
  access: { scope: 'read:settings' },
  tag: 'Service',
  summary: 'Get the settings of the public pages',
  description:
    'The saved settings, or the defaults, with the entity tag that If-Match takes: what the public pages offer.',
  answers: {
    200: {
      description: 'The settings, with the entity tag that If-Match takes.',
      schema: publicSettingsSchema,
      tagged: true,
    },
  },
  async run({ db }) {
    const saved = await readPublicSettings(db);
    return { body: saved, revision: saved.revision };
  },
});
