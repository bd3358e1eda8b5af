// Lets a client in no more.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { clientParam, KMS_PATH, KMS_TAG } from '../../shared/services/kms/schemas.ts';
import { removeClient } from '../../shared/services/kms/trust/clients.ts';

export const operation = defineOperation({
  id: 'deleteKmsClient',
  method: 'DELETE',
  path: `${KMS_PATH}/clients/{client_id}`,
  access: { scope: 'write:kms' },
  effect: 'immediate',
  tag: KMS_TAG,
  summary: 'Remove a client',
  description:
    'Changes application state immediately: its certificate loses access, and an open connection ends with its next request. Keys of its provider stay. It stays remembered as removed: no restore of an archive and no factory reset brings it back. It has to be added again. A certificate that our authority issued is not revoked by this.',
  params: clientParam,
  answers: { 204: { description: 'It is no longer trusted.' } },
  problems: ['resource_not_found'],
  audit: ['kms.client.delete'],
  async run({ tx, services, actor, params, audit }) {
    audit(await removeClient(tx, services, params.client_id, actor.name));
    return { status: 204 };
  },
});
