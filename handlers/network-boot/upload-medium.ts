// Takes one piece of an uploaded image. The last piece starts the unpacking.
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { offsetSchema, sha256Schema } from '../../shared/platform/uploads/schemas.ts';
import {
  mediumProgress,
  startUnpacking,
  UPLOADED,
} from '../../shared/services/network-boot/esxi-media/medium-store.ts';
import { mediumProgressSchema } from '../../shared/services/network-boot/esxi-media/schemas.ts';
import { queueUnpacking } from '../../shared/services/network-boot/esxi-media/unpack-job.ts';
import { PIECE_MOST, receivePiece } from '../../shared/services/network-boot/esxi-media/upload.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';

const sha256 = sha256Schema(
  'With the last piece: SHA-256 of the whole image, which is compared before anything is unpacked.',
);

export const operation = defineOperation({
  id: 'uploadBootMedium',
  method: 'PUT',
  path: `${bootMedia.path}/{medium_id}/content`,
  access: { scope: 'write:pxe' },
  effect: 'queues-job',
  tag: bootMedia.tag,
  summary: 'Upload a piece of an image',
  description: `The body is the bytes of the image from \`offset\` on, at most ${PIECE_MOST} of them. Pieces come in order; one that is there already may be sent again, and a refused one says how many bytes are there, so that a broken upload can go on. The piece that completes the image queues a durable job, which unpacks it; the ones before it change nothing that is audited.`,
  params: idParam('medium_id', 'Id of the medium.'),
  query: v.strictObject({ offset: offsetSchema('image'), sha256: v.optional(sha256) }),
  binary: true,
  bodyLimit: PIECE_MOST,
  answers: {
    202: { description: 'How many bytes are there now; the next piece begins there.', schema: mediumProgressSchema },
  },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['network-boot.medium.upload'],
  async prepare({ services, params, query, body }) {
    const medium = await mediumProgress(services.store, params.medium_id);
    if (medium.source !== UPLOADED || medium.state !== 'receiving') {
      throw new Problem('state_conflict', `This medium is ${medium.state} and takes no pieces.`);
    }
    const piece = { id: medium.id, offset: Number(query.offset), bytes: body as Buffer, size: medium.size_bytes };
    return receivePiece(services.host, piece);
  },
  async run({ tx, services, params: { medium_id: id }, query, actor, audit, prepared }) {
    const received_bytes = prepared as number;
    const { name, size_bytes, state } = await mediumProgress(tx, id);
    const known = { medium_id: id, received_bytes, size_bytes };
    const complete = received_bytes === size_bytes && (await startUnpacking(tx, services.clock, id, 'receiving'));
    if (!complete) return { status: 202, body: { ...known, state, job_id: null }, unchanged: true };
    const job_id = await queueUnpacking(tx, services, { id, sha256: query.sha256 ?? null, by: actor.name });
    const detail = { title: name, size_bytes, sha256: query.sha256 ?? null, job_id };
    audit({ action: 'network-boot.medium.upload', resource_type: bootMedia.table, resource_id: id, detail });
    return { status: 202, body: { ...known, state: 'unpacking', job_id } };
  },
});
