// Ends recordings whose time is over, and writes down that they were deleted.
import { instant, newId } from '../../../ground/clock.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import { appendAudit } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { removeRecordingFile } from './folder.ts';
import { dueRecordings } from './recordings.ts';

export async function pruneRecordings(services: Services): Promise<void> {
  const { store, keys, clock, entropy } = services;
  for (const { id, path } of await dueRecordings(services)) {
    const request_id = newId('req', entropy);
    const who = { at: instant(clock.now()), actor: systemActor('ticker'), request_id, source_address: '' };
    const detail = { why: 'its days are over' };
    const event = { action: 'terminal.recording.delete', resource_type: 'terminal_recording', resource_id: id, detail };
    // Also while an apply owns all mutations: the promise to its user does not wait.
    await store.write((tx) => appendAudit(tx, keys, who, event, { holdsLock: true }));
    await removeRecordingFile(path);
  }
}
