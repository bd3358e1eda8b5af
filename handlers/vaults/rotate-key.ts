// Gives the vaults a new key-encryption key.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { queueRotation } from '../../shared/platform/vaults/rotate-job.ts';
import { rotationSchema } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'rotateVaultKey',
  method: 'POST',
  path: '/api/v1/vaults/rotate-key',
  access: { scope: 'write:vaults' },
  effect: 'queues-job',
  tag: 'Vaults',
  summary: 'Rotate the key of the vaults',
  description:
    'Queues a durable job: a new key is made, the data key of every entry is sealed under it, and the old key is forgotten once nothing uses it. Values stay usable all the while. Copies of the database from before can’t be opened with the keys file from after.',
  answers: { 202: { description: 'The job that rotates the key.', schema: rotationSchema, located: true } },
  problems: ['state_conflict', 'vault_keys_unusable'],
  audit: ['vault.key.rotate'],
  async run({ tx, services, actor, audit }) {
    const { job_id, kek_id } = await queueRotation(tx, services, actor.name);
    audit({ action: 'vault.key.rotate', resource_type: 'vault_key', resource_id: kek_id, detail: { job_id } });
    return { status: 202, body: { job_id }, headers: { location: `/api/v1/jobs/${job_id}` } };
  },
});
