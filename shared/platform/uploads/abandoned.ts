// Ends abandoned uploads: a day after its last piece an upload is given up, with an audit event.

import { instant, isNear, later, newId } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';

/** Hours after the last piece, or after the announcement when none came. */
export const UPLOAD_HOURS = 24;

/** One kind of uploads. */
export interface Uploads {
  /** Ids of uploads whose rows were last written before the first time, or after the second. */
  old(before: Date, beyond: Date): Promise<string[]>;
  /** When its last piece came, milliseconds since 1970; null: none has. */
  lastPieceAt(id: string): Promise<number | null>;
  /** Answers the audit event; null: the upload does not wait for pieces any more. */
  giveUp(tx: Transaction, id: string): Promise<Pick<AuditEvent, 'action' | 'resource_type' | 'detail'> | null>;
  /** Removes the bytes of an upload. */
  drop(id: string): Promise<void>;
}

type Needed = Pick<Services, 'store' | 'clock' | 'keys' | 'entropy'>;

/** Answers the ids of the uploads that were given up. */
export async function endAbandoned({ store, clock, keys, entropy }: Needed, uploads: Uploads): Promise<string[]> {
  const now = clock.now();
  const seconds = UPLOAD_HOURS * 3600;
  const ended: string[] = [];
  // A time more than a day ahead counts as old: the clock was set back. A later piece would have the new clock's time.
  for (const id of await uploads.old(later(now, -seconds), later(now, seconds))) {
    if (isNear((await uploads.lastPieceAt(id)) ?? 0, now, seconds)) continue;
    const done = await store.write(async (tx) => {
      const event = await uploads.giveUp(tx, id);
      if (event === null) return false;
      const context = {
        at: instant(clock.now()),
        actor: systemActor('ticker'),
        request_id: newId('tick', entropy),
        source_address: '',
      };
      await appendAudit(tx, keys, context, { ...event, resource_id: id, outcome: 'failure' }, { holdsLock: true });
      return true;
    });
    if (!done) continue;
    await uploads.drop(id);
    ended.push(id);
  }
  return ended;
}
