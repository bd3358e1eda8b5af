// One OVA of the depot, with what its descriptor says.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { applianceFacts } from '../../shared/services/offline-depot/appliances/appliance-facts.ts';
import { findAppliance } from '../../shared/services/offline-depot/appliances/appliances.ts';
import {
  APPLIANCES_PATH,
  applianceParam,
  applianceSchema,
  UPLOADS_TAG,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';

export const operation = defineOperation({
  id: 'getDepotAppliance',
  method: 'GET',
  path: `${APPLIANCES_PATH}/{file}`,
  access: { scope: 'read:depot' },
  tag: UPLOADS_TAG,
  summary: 'Get an OVA',
  description:
    'What the descriptor of the OVA says, or why it can’t be deployed. Only headers, descriptor and manifest are read here; the disks are compared with the manifest by the deployment.',
  params: applianceParam,
  answers: {
    200: {
      description: 'The file with what its descriptor says, or why it can’t be deployed.',
      schema: applianceSchema,
    },
  },
  problems: ['resource_not_found'],
  async run({ services, params }) {
    const found = await findAppliance(services, params.file);
    return { body: { ...found, ...(await applianceFacts(services, found)) } };
  },
});
