// Completes an upload into the depot.

import { Problem } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { refuseIncomplete, refuseUnsaid, uploadView } from '../../shared/services/offline-depot/uploads/upload.ts';
import { queueCompleting } from '../../shared/services/offline-depot/uploads/upload-job.ts';
import {
  UPLOADS_PATH,
  UPLOADS_TAG,
  type UploadComplete,
  uploadCompleteSchema,
  uploadParam,
  uploadSchema,
} from '../../shared/services/offline-depot/uploads/upload-schemas.ts';
import { findUpload, startCompleting } from '../../shared/services/offline-depot/uploads/upload-store.ts';

export const operation = defineOperation({
  id: 'completeDepotUpload',
  method: 'POST',
  path: `${UPLOADS_PATH}/{upload_id}/complete`,
  access: { scope: 'write:depot' },
  effect: 'queues-job',
  tag: UPLOADS_TAG,
  summary: 'Complete an upload',
  description:
    'Queues a durable job that hashes the bytes, compares them with `sha256` where one was said here or at the begin, and gives the file its name in the depot in one step. When the job fails, the bytes are kept and the upload can be completed again, for example with `overwrite`.',
  params: uploadParam,
  body: uploadCompleteSchema,
  answers: { 202: { description: 'The upload, and the job that completes it.', schema: uploadSchema } },
  problems: ['resource_not_found', 'state_conflict', 'depot_file_exists'],
  audit: ['depot.upload.complete'],
  async prepare({ services, params, body }) {
    const { overwrite } = body as UploadComplete;
    const upload = await findUpload(services.store, params.upload_id);
    if (upload.state !== 'receiving') throw new Problem('state_conflict', `This upload is ${upload.state} already.`);
    await refuseIncomplete(services.host, upload);
    await refuseUnsaid(services.host, upload.name, overwrite ?? upload.overwrite);
    return upload;
  },
  async run({ tx, services, params: { upload_id: id }, body, actor, audit, prepared }) {
    const asked = body as UploadComplete;
    const upload = prepared as Awaited<ReturnType<typeof findUpload>>;
    const sha256 = asked.sha256 === undefined ? upload.sha256 : asked.sha256;
    const overwrite = asked.overwrite ?? upload.overwrite;
    const job_id = await queueCompleting(tx, services, { id, by: actor.name });
    if (!(await startCompleting(tx, services.clock, { id, sha256, overwrite, job_id }))) {
      throw new Problem('state_conflict', 'This upload is completed or removed already.');
    }
    const detail = { file: upload.name, sha256, overwrite, job_id };
    audit({ action: 'depot.upload.complete', resource_type: 'depot.upload', resource_id: id, detail });
    const completing = { ...upload, sha256, overwrite, job_id, state: 'completing' as const, fault: null };
    return { status: 202, body: await uploadView(services.host, completing) };
  },
});
