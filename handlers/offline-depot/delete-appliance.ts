// Deletes an OVA of the depot.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { refuseRead } from '../../shared/services/offline-depot/appliances/appliance-readers.ts';
import { findAppliance, removeAppliance } from '../../shared/services/offline-depot/appliances/appliances.ts';
import {
  APPLIANCES_PATH,
  applianceParam,
  UPLOADS_TAG,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';

export const operation = defineOperation({
  id: 'deleteDepotAppliance',
  method: 'DELETE',
  path: `${APPLIANCES_PATH}/{file}`,
  access: { scope: 'write:depot' },
  effect: 'immediate',
  tag: UPLOADS_TAG,
  summary: 'Delete an OVA',
  description:
    'Changes application state immediately: the file is gone, and no apply brings it back. Refused while a deployment reads it.',
  params: applianceParam,
  answers: { 204: { description: 'Removed; the answer has no body.' } },
  problems: ['resource_not_found', 'still_referenced'],
  audit: ['depot.appliance.delete'],
  async run({ tx, services, params: { file }, audit }) {
    const { size_bytes } = await findAppliance(services, file);
    await refuseRead(tx, file);
    // Before the commit: on a full disk this is what makes the room for it.
    await removeAppliance(services, file);
    const detail = { file, size_bytes };
    audit({ action: 'depot.appliance.delete', resource_type: 'depot.appliance', resource_id: file, detail });
    return { status: 204 };
  },
});
