// Ends abandoned uploads: the medium fails with a reason, and its bytes are removed.
import type { Services } from '../../../kernel/operation/services.ts';
import { endAbandoned, UPLOAD_HOURS } from '../../../platform/uploads/abandoned.ts';
import { giveUpUpload, oldUploads } from './medium-store.ts';
import { dropUpload, lastPieceAt } from './upload.ts';

const FAULT = `Its upload was not finished: nothing came for ${UPLOAD_HOURS} hours.`;
const EVENT = { action: 'network-boot.medium.failed', resource_type: 'network-boot.medium', detail: { fault: FAULT } };

/** Answers the ids of the media that were given up. */
export function endOldUploads(
  services: Pick<Services, 'store' | 'host' | 'clock' | 'keys' | 'entropy'>,
): Promise<string[]> {
  const { store, host, clock } = services;
  return endAbandoned(services, {
    old: (before, beyond) => oldUploads(store, before, beyond),
    lastPieceAt: (id) => lastPieceAt(host, id),
    giveUp: async (tx, id) => ((await giveUpUpload(tx, clock, id, FAULT)) ? EVENT : null),
    drop: (id) => dropUpload(host, id),
  });
}
