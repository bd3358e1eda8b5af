// The disks of the machine.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { disksSchema, listDisks } from '../../shared/services/storage/disk-list.ts';

export const operation = defineOperation({
  id: 'getStorageDisks',
  method: 'GET',
  path: '/api/v1/storage/disks',
  access: { scope: 'read:storage' },
  tag: 'Storage',
  summary: 'List the disks of the appliance',
  description:
    'Every disk of this machine as udev and the kernel show it at this moment: names, size, model, serial number, what is on it and what uses it; and whether it can take a volume, or why not. Nothing is opened or written. The disk is checked again right before it is formatted.',
  answers: { 200: { description: 'The disks, by the kernel’s names.', schema: disksSchema, live: true } },
  async run({ db }) {
    return { body: { disks: await listDisks(db) } };
  },
});
