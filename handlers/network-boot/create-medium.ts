// Creates an installer medium, from an image that lies on the appliance or from one that is uploaded next.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { createItem } from '../../shared/platform/units/collection-store.ts';
import { refuseMissing } from '../../shared/services/network-boot/esxi-media/import-folder.ts';
import { announcedUploads, UPLOADED } from '../../shared/services/network-boot/esxi-media/medium-store.ts';
import { mediumProgressSchema } from '../../shared/services/network-boot/esxi-media/schemas.ts';
import { queueUnpacking } from '../../shared/services/network-boot/esxi-media/unpack-job.ts';
import { refuseBeyondRoom } from '../../shared/services/network-boot/esxi-media/upload.ts';
import { bootMedia, type MediumCreate, refuseUnclear } from '../../shared/services/network-boot/media.ts';

export const operation = defineOperation({
  id: 'createBootMedium',
  method: 'POST',
  path: bootMedia.path,
  access: { scope: 'write:pxe' },
  effect: 'queues-job',
  tag: bootMedia.tag,
  summary: 'Create an installer medium',
  description:
    'With `path`, an ISO image or a folder below the folder `import` of the appliance’s data folder: queues a durable job that unpacks it. With `size_bytes`: the medium waits for the pieces of an image, and the last one of them queues the job. An image is taken whole or not at all: one with links, devices, names that lead elsewhere, the same name twice, or without a usable boot.cfg makes the medium `failed` and says why.',
  body: bootMedia.schemas.create,
  answers: { 202: { description: 'The medium is there, not ready yet.', schema: mediumProgressSchema, located: true } },
  problems: ['already_exists'],
  audit: ['network-boot.medium.create'],
  async prepare({ services, body }) {
    const { path, size_bytes } = body as MediumCreate;
    refuseUnclear({ path, size_bytes });
    if (path !== undefined) await refuseMissing(services.settings.data, path);
  },
  async run({ tx, services, body, actor, audit }) {
    const { path, ...draft } = body as MediumCreate;
    if (path === undefined) await refuseBeyondRoom(services.host, await announcedUploads(tx), draft.size_bytes!);
    const begin = path === undefined ? { source: UPLOADED, state: 'receiving' } : { source: path, state: 'unpacking' };
    const { id, name, state, source, size_bytes } = await createItem(tx, services, bootMedia, { ...draft, ...begin });
    const job_id = path === undefined ? null : await queueUnpacking(tx, services, { id, sha256: null, by: actor.name });
    audit({
      action: 'network-boot.medium.create',
      resource_type: bootMedia.table,
      resource_id: id,
      detail: { title: name, source, job_id },
    });
    const location = `${bootMedia.path}/${id}`;
    return {
      status: 202,
      headers: { location },
      body: { medium_id: id, state, received_bytes: 0, size_bytes, job_id },
    };
  },
});
