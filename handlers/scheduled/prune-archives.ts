// Ends abandoned uploads of archives.
import { endArchiveUploads } from '../../shared/appliance/archive/upload.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'pruneArchives',
  every: 3600,
  description: 'Ends uploads of archives to which nothing came for a day.',
  async run(services) {
    const ended = await endArchiveUploads(services);
    if (ended.length > 0) services.logger.info('uploads of archives ended', { ended });
  },
});
