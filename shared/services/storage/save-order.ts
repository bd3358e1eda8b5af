// What the two orders for a volume’s disk have in common: the disk is looked at before the transaction, the order is saved in it.
import * as v from 'valibot';
import { idParam } from '../../ground/schemas/component.ts';
import type { Answer, MutationContext } from '../../kernel/operation/operation.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { findItem, updateItem, visible } from '../../platform/units/collection-store.ts';
import { NO_RECORD, readRecord, type Work } from './disk-order.ts';
import { type Ordered, rehearsedDisk, requireName, type Sight } from './disk-orders.ts';
import { diskNamed, disksOf } from './inventory.ts';
import { type StorageVolume, storageVolumes } from './volumes.ts';

export const volumeParam = idParam(storageVolumes.param, 'Id of the storage volume.');
export const confirmMember = v.pipe(
  v.string(),
  v.maxLength(63, 'At most 63 characters.'),
  v.description('The name of the volume, typed again.'),
);

/** What is seen of the machine’s disks now. */
export type Looked = (volume: StorageVolume) => Promise<Sight>;

/** The record is root’s, of the filesystem that the volume has by then. In a rehearsal a disk that is away is made up. */
export async function look({ host }: Pick<Services, 'host'>, work: Work): Promise<Looked> {
  const disks = await disksOf();
  return async (volume) => ({
    disk: diskNamed(disks, volume.device) ?? (host.enforces ? null : rehearsedDisk(volume, work)),
    record: volume.filesystem_uuid === '' ? NO_RECORD : await readRecord(volume.filesystem_uuid),
  });
}

type Context = Pick<
  MutationContext<{ volume_id: string }, unknown, { confirm: string }>,
  'tx' | 'services' | 'params' | 'body' | 'request' | 'audit'
>;

/** Saves the order. @throws Problem 404, 412, 422 for another name than the volume’s, and what `order` throws */
export async function saveOrder(
  { tx, services, params, body, request, audit }: Context,
  action: string,
  looked: Looked,
  order: (volume: StorageVolume, sight: Sight) => Ordered,
): Promise<Answer> {
  const volume = await findItem(tx, storageVolumes, params.volume_id);
  requireName(volume, body.confirm);
  const patch = order(volume, await looked(volume));
  const { item } = await updateItem(tx, services, storageVolumes, volume.id, { ...patch }, request.if_match);
  const { name, device, filesystem, filesystem_uuid, filesystem_bytes } = item;
  audit({
    action,
    resource_type: storageVolumes.table,
    resource_id: item.id,
    detail: { title: name, device, filesystem, filesystem_uuid, filesystem_bytes },
  });
  return { body: visible(storageVolumes, item), revision: item.revision };
}
