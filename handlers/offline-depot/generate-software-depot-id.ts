// Generates the software depot ID.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import {
  depotIdentitySchema,
  generateDepotIdentity,
  generateSchema,
} from '../../shared/services/offline-depot/identity.ts';

const action = 'depot.software_depot_id.generate';

export const operation = defineOperation({
  id: 'generateSoftwareDepotId',
  method: 'POST',
  path: '/api/v1/private-cloud-services/software-depot-id',
  access: { scope: 'write:depot' },
  effect: 'immediate',
  tag: 'Offline depot',
  summary: 'Generate the software depot ID',
  description:
    'Changes application state immediately. Activation codes are issued for one software depot ID: where there is one already, a new one makes them worthless, so it has to be confirmed. The ID is no secret.',
  body: generateSchema,
  answers: {
    201: { description: 'The new software depot ID, and the one that it replaces.', schema: depotIdentitySchema },
  },
  audit: [action],
  async run({ tx, services, actor, body, audit }) {
    const made = await generateDepotIdentity(tx, services, { confirm: body.confirm === true, by: actor.name });
    const { software_depot_id, replaced } = made;
    audit({ action, resource_type: 'depot_identity', resource_id: software_depot_id, detail: { replaced } });
    return { status: 201, body: made };
  },
});
