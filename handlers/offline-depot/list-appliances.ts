// OVAs of the service manager in the depot.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listAppliances } from '../../shared/services/offline-depot/appliances/appliances.ts';
import {
  APPLIANCES_PATH,
  applianceListSchema,
  UPLOADS_TAG,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';

export const operation = defineOperation({
  id: 'listDepotAppliances',
  method: 'GET',
  path: APPLIANCES_PATH,
  access: { scope: 'read:depot' },
  tag: UPLOADS_TAG,
  summary: 'List OVAs',
  description:
    'Newest version first, as the names of the files say it. Uploads that were not completed are not among them.',
  answers: { 200: { description: 'Every file of the depot’s appliances.', schema: applianceListSchema } },
  async run({ services }) {
    return { body: { items: await listAppliances(services) } };
  },
});
