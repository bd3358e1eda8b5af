// Ends abandoned uploads of installer media, and removes the files of media that were deleted, refused or abandoned during
// unpacking.

import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { mediumStates } from '../../shared/services/network-boot/esxi-media/medium-store.ts';
import { pruneMedia } from '../../shared/services/network-boot/esxi-media/remove.ts';
import { endOldUploads } from '../../shared/services/network-boot/esxi-media/upload-end.ts';

/** Younger ones may belong to a request that runs now. */
const HOUR = 3600;

export const scheduled = defineScheduled({
  id: 'pruneMedia',
  every: 3600,
  description:
    'Ends uploads of installer media to which nothing came for a day. Removes files of installer media that are not there any more, an hour after they were last written.',
  async run(services) {
    const { store, host, clock, logger } = services;
    const ended = await endOldUploads(services);
    if (ended.length > 0) logger.info('uploads of media ended', { ended });
    const removed = await pruneMedia(host, await mediumStates(store), { now: clock.now(), seconds: HOUR });
    if (removed.length > 0) logger.info('files of media removed', { removed });
  },
});
