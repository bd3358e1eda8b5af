// Orders the filesystem of a volume to grow to its disk.
import * as v from 'valibot';
import { component } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { growOrder } from '../../shared/services/storage/disk-orders.ts';
import { confirmMember, type Looked, look, saveOrder, volumeParam } from '../../shared/services/storage/save-order.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = defineOperation({
  id: 'growStorageVolume',
  method: 'POST',
  path: `${storageVolumes.path}/{${storageVolumes.param}}/grow`,
  access: { scope: 'write:storage' },
  effect: 'desired-state',
  tag: storageVolumes.tag,
  summary: 'Order the filesystem of a volume to grow to its disk',
  description:
    'Saves desired state only; the filesystem grows by the next reviewed apply, while it is in use. Refused unless the filesystem of the volume is known and mounted, and its disk is larger than it was. A filesystem never shrinks again. The order belongs to the disk as it is seen now and to the plan that is submitted next, and ends with that plan.',
  params: volumeParam,
  body: component('StorageVolumeGrow', v.strictObject({ confirm: confirmMember }), { confirm: 'nvme0' }),
  answers: {
    200: { description: 'The volume with the order.', schema: storageVolumes.schemas.item, tagged: true },
  },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition', 'state_conflict'],
  audit: ['storage.volume.grow'],
  prepare: ({ services }) => look(services, 'grow'),
  run: (context) => saveOrder(context as never, 'storage.volume.grow', context.prepared as Looked, growOrder),
});
