// Orders the disk of a volume to be formatted.
import * as v from 'valibot';
import { anyCase, component } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { FILESYSTEMS, type FilesystemKind } from '../../shared/services/storage/disk-fitness.ts';
import { formatOrder } from '../../shared/services/storage/disk-orders.ts';
import { confirmMember, type Looked, look, saveOrder, volumeParam } from '../../shared/services/storage/save-order.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

const body = component(
  'StorageVolumeFormat',
  v.strictObject({
    filesystem: v.optional(
      anyCase(
        FILESYSTEMS,
        'Default `xfs`, on which a datastore can have a size limit that holds. XFS grows and never shrinks.',
      ),
    ),
    confirm: confirmMember,
  }),
  { filesystem: 'xfs', confirm: 'nvme0' },
);

export const operation = defineOperation({
  id: 'formatStorageVolume',
  method: 'POST',
  path: `${storageVolumes.path}/{${storageVolumes.param}}/format`,
  access: { scope: 'write:storage' },
  effect: 'desired-state',
  tag: storageVolumes.tag,
  summary: 'Order the disk of a volume to be formatted',
  description:
    'Saves desired state only; the disk is formatted by the next reviewed apply. Only a blank disk is: refused for one that carries a signature, partitions or a mount, that something is built on, or that is away; and nothing is ever wiped. The order belongs to the disk as it is seen now and to the plan that is submitted next, and ends with that plan whatever becomes of it. The disk is checked again right before: whatever changed since stops the plan. A format that was cut off can be ordered anew, as long as nothing but its own beginning stands on the disk.',
  params: volumeParam,
  body,
  answers: {
    200: { description: 'The volume with the order.', schema: storageVolumes.schemas.item, tagged: true },
  },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition', 'state_conflict'],
  audit: ['storage.volume.format'],
  prepare: ({ services }) => look(services, 'format'),
  run: (context) =>
    saveOrder(context as never, 'storage.volume.format', context.prepared as Looked, (volume, sight) =>
      formatOrder(volume, (context.body.filesystem ?? 'xfs') as FilesystemKind, sight, context.services.entropy),
    ),
});
