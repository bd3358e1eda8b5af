// How full storage is, and who uses it.
import { storageStatus, storageStatusSchema } from '../../shared/appliance/overview/storage-status.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getStorageStatus',
  method: 'GET',
  path: '/api/v1/storage/status',
  access: { scope: 'read:storage' },
  tag: 'Storage',
  summary: 'Get the status of storage',
  description:
    'How full volumes and datastores are, and which hosts use them, as of now. It tells what is in force, not what is saved. In a rehearsal nothing is mounted, and all lists are empty.',
  answers: {
    200: { description: 'What is so now.', schema: storageStatusSchema, live: true },
  },
  async run({ services }) {
    return { body: await storageStatus(services) };
  },
});
