// The end of uploads that nobody goes on with: a day after the last piece their medium is failed, says why, and its bytes go.
import { systemActor } from '../../access/actor.ts';
import { appendAudit } from '../../audit/audit.ts';
import { instant, newId } from '../../operation/clock.ts';
import type { Services } from '../../operation/services.ts';
import { giveUpUpload, oldUploads } from './medium-store.ts';
import { dropUpload, lastPieceAt } from './upload.ts';

/** Hours after the last piece, or after the announcement when none came. */
const UPLOAD_HOURS = 24;
const FAULT = `Its upload was not finished: nothing came for ${UPLOAD_HOURS} hours.`;

/** Answers the ids of the media that were given up. */
export async function endOldUploads(
  services: Pick<Services, 'store' | 'host' | 'clock' | 'keys' | 'entropy'>,
): Promise<string[]> {
  const { store, host, clock, keys, entropy } = services;
  const before = new Date(clock.now().getTime() - UPLOAD_HOURS * 3_600_000);
  const ended: string[] = [];
  for (const id of await oldUploads(store, before)) {
    if (((await lastPieceAt(host, id)) ?? 0) > before.getTime()) continue;
    const done = await store.write(async (tx) => {
      if (!(await giveUpUpload(tx, clock, id, FAULT))) return false;
      const context = {
        at: instant(clock.now()),
        actor: systemActor('ticker'),
        request_id: newId('tick', entropy),
        source_address: '',
      };
      const action = 'network-boot.medium.failed';
      const event = { action, resource_type: 'network-boot.medium', resource_id: id, detail: { fault: FAULT } };
      await appendAudit(tx, keys, context, { ...event, outcome: 'failure' }, { holdsLock: true });
      return true;
    });
    if (!done) continue;
    await dropUpload(host, id);
    ended.push(id);
  }
  return ended;
}
