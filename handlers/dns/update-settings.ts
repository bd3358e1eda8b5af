// Changes the settings of the name service.
import { defineOperation } from '../../shared/operation/define-operation.ts';
import { settingsSchema, settingsUpdateSchema } from '../../shared/units/dns-dhcp/schemas.ts';
import { saveSettings } from '../../shared/units/dns-dhcp/settings-store.ts';

export const operation = defineOperation({
  id: 'updateDnsDhcpSettings',
  method: 'PATCH',
  path: '/api/v1/dns-dhcp/settings',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS/DHCP',
  summary: 'Update the settings',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. A service that is on listens on at least one interface, and each of them is switched on and has an address, its own or by DHCP; a service that is off may name any interface that exists. Upstream servers are addresses of other machines, with an optional `#port`.',
  body: settingsUpdateSchema,
  answers: { 200: { description: 'The settings.', schema: settingsSchema, tagged: true } },
  problems: ['revision_stale', 'malformed_precondition'],
  audit: ['dns-dhcp.settings.update'],
  async run({ services, tx, body, request, audit }) {
    const { saved, changed } = await saveSettings(tx, services, body, request.if_match);
    const detail = { changed, ...Object.fromEntries(Object.entries(saved).filter(([name]) => changed.includes(name))) };
    audit({ action: 'dns-dhcp.settings.update', resource_type: 'unit_settings', resource_id: 'dns-dhcp', detail });
    return { body: saved, revision: saved.revision };
  },
});
