// Changes the settings of the public pages.
import {
  publicSettingsSchema,
  publicSettingsUpdateSchema,
  savePublicSettings,
} from '../../shared/appliance/overview/public-settings.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'updatePublicPagesSettings',
  method: 'PATCH',
  path: '/api/v1/public-pages/settings',
  access: { scope: 'write:settings' },
  effect: 'immediate',
  tag: 'Service',
  summary: 'Update the settings of the public pages',
  description:
    'Changes application state immediately. The public pages are served where `GROUNDCREW_PUBLIC_LISTEN` says, and nowhere while it says nothing. `certificate_requests` lets accounts whose role may ask for certificates (write:ca-requests) sign in there, ask for them, and fetch what was issued; such a session is none of the management pages. `directory_passwords` lets people of the directory change their own passwords there, where the directory is in force at the interface that was called. `status` shows which of the services that are in force at the interface that was called answered when they were last asked. All are off until they are switched on: what is off is answered with 404. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision.',
  body: publicSettingsUpdateSchema,
  answers: { 200: { description: 'The settings as saved now.', schema: publicSettingsSchema, tagged: true } },
  problems: ['revision_stale', 'malformed_precondition'],
  audit: ['public_pages.settings.update'],
  async run({ services, tx, body, request, audit }) {
    const { saved, changed } = await savePublicSettings(tx, services, body, request.if_match);
    const { certificate_requests, directory_passwords, status, revision } = saved;
    const detail = { changed, ...(changed.length > 0 && { certificate_requests, directory_passwords, status }) };
    audit({
      action: 'public_pages.settings.update',
      resource_type: 'public_pages_settings',
      resource_id: null,
      detail,
    });
    return { body: saved, revision };
  },
});
