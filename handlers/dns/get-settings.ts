// The settings of the name service.
import { defineOperation } from '../../shared/operation/define-operation.ts';
import { settingsSchema } from '../../shared/units/dns-dhcp/schemas.ts';
import { readSettings } from '../../shared/units/dns-dhcp/settings-store.ts';

export const operation = defineOperation({
  id: 'getDnsDhcpSettings',
  method: 'GET',
  path: '/api/v1/dns-dhcp/settings',
  plane: 'api',
  access: { scope: 'read:dns' },
  effect: 'read',
  tag: 'DNS/DHCP',
  summary: 'Get the settings',
  description: 'The saved settings of the name service, or the defaults, with the entity tag that If-Match takes.',
  answers: { 200: { description: 'The settings.', schema: settingsSchema, tagged: true } },
  async run({ db }) {
    const { saved } = await readSettings(db);
    return { body: saved, revision: saved.revision };
  },
});
