// Ends abandoned uploads into the depot.

import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { endDepotUploads, pruneDepotUploads } from '../../shared/services/offline-depot/uploads/upload-end.ts';

export const scheduled = defineScheduled({
  id: 'pruneDepotUploads',
  every: 3600,
  description:
    'Ends uploads into the offline depot to which nothing came for a day. Forgets those that were done a day ago, and removes bytes that belong to none.',
  async run(services) {
    const ended = await endDepotUploads(services);
    if (ended.length > 0) services.logger.info('uploads into the depot ended', { ended });
    const removed = await pruneDepotUploads(services);
    if (removed.length > 0) services.logger.info('bytes of uploads removed', { removed });
  },
});
