// OVAs of the service manager in the depot.
import { listAppliances } from '../../shared/offline-depot/appliances.ts';
import { APPLIANCES_PATH, applianceListSchema, UPLOADS_TAG } from '../../shared/offline-depot/upload-schemas.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listDepotAppliances',
  method: 'GET',
  path: APPLIANCES_PATH,
  plane: 'api',
  access: { scope: 'read:depot' },
  effect: 'read',
  tag: UPLOADS_TAG,
  summary: 'List OVAs',
  description:
    'Newest version first, as the names of the files say it. Uploads that were not completed are not among them.',
  answers: { 200: { description: 'Every file of the depot’s appliances.', schema: applianceListSchema } },
  async run({ services }) {
    return { body: { items: await listAppliances(services) } };
  },
});
