// Whether the keys are in a verified copy.
import { keyProtection } from '../../shared/appliance/overview/key-protection.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { destroyedKeys } from '../../shared/services/kms/keys/administration.ts';
import { KMS_PATH, KMS_TAG, protectionSchema } from '../../shared/services/kms/schemas.ts';
import { expiringClients } from '../../shared/services/kms/trust/clients.ts';

export const operation = defineOperation({
  id: 'getKmsProtection',
  method: 'GET',
  path: `${KMS_PATH}/protection`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'Get how well the keys are protected',
  description:
    'How many keys are in no verified copy of an archive: if this appliance is lost, what is encrypted with them is lost. Only copies that the schedule of archives made and read back count. With it what else would keep a machine from its key: keys that clients destroyed and that can still be brought back, and clients whose certificate ends soon.',
  answers: { 200: { description: 'The protection as it is now.', schema: protectionSchema } },
  async run({ db, services }) {
    const destroyed = await destroyedKeys(db);
    const expiring = await expiringClients(db, services.clock.now());
    return { body: { ...(await keyProtection(db)), destroyed, expiring } };
  },
});
