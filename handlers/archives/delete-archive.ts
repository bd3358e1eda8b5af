// Deletes an archive with its file.
import { rm } from 'node:fs/promises';
import { ARCHIVES_PATH, ARCHIVES_TAG, archiveFile, removeArchive } from '../../shared/appliance/archive/kept.ts';
import { archiveParam } from '../../shared/appliance/archive/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'deleteArchive',
  method: 'DELETE',
  path: `${ARCHIVES_PATH}/{archive_id}`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Delete an archive',
  description: 'Changes application state immediately: the file is gone from the appliance. Copies elsewhere stay.',
  params: archiveParam,
  answers: { 204: { description: 'It is gone.' } },
  problems: ['resource_not_found'],
  audit: ['archive.delete'],
  async run({ tx, services, params, audit, afterCommit }) {
    const { id, name, sha256 } = await removeArchive(tx, params.archive_id);
    audit({ action: 'archive.delete', resource_type: 'archive', resource_id: id, detail: { name, sha256 } });
    afterCommit(() => {
      rm(archiveFile(services.settings, id), { force: true }).catch((error: Error) =>
        services.logger.error('the file of an archive could not be removed', { failure: { message: error.message } }),
      );
    });
    return { status: 204 };
  },
});
