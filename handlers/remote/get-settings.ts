// Reads the settings of connections to remote machines.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { readRemoteSettings, remoteSettingsSchema } from '../../shared/vcf/connection/settings.ts';

export const operation = defineOperation({
  id: 'getRemoteSettings',
  method: 'GET',
  path: '/api/v1/remote/settings',
  access: { scope: 'read:settings' },
  tag: 'Remote machines',
  summary: 'Get the settings of connections to remote machines',
  description:
    'The saved settings, or the defaults, with the entity tag that If-Match takes. They say which exceptions are made from the rules about where the appliance connects to.',
  answers: {
    200: {
      description: 'The settings, with the entity tag that If-Match takes.',
      schema: remoteSettingsSchema,
      tagged: true,
    },
  },
  async run({ db }) {
    const saved = await readRemoteSettings(db);
    return { body: saved, revision: saved.revision };
  },
});
