// How a terminal is recorded: where that is in force, none goes on without.
import { instant } from '../shared/ground/clock.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { TerminalManifest } from '../shared/services/web-terminal/manifest.ts';
import { Recorder } from '../shared/services/web-terminal/recording/recorder.ts';
import { keptUntil, roomForAnother } from '../shared/services/web-terminal/recording/recordings.ts';
import { NoShell } from '../shared/services/web-terminal/session/shell.ts';
import type { Ticket } from '../shared/services/web-terminal/session/tickets.ts';
import { serverText } from '../shared/vcf/connection/target.ts';

type Whose = Ticket & { user: string; columns: number; rows: number };

/** Whether a terminal could be recorded, if it has to be. */
export const hasRoom = async (services: Services, { recording }: TerminalManifest): Promise<boolean> =>
  recording === undefined || (await roomForAnother(services, recording)) !== null;

/** Null: it is not to be recorded. @throws NoShell when it is, and can't be. */
export async function beginRecording(
  services: Services,
  { recording }: TerminalManifest,
  { user_id, user, account, remote, source_address, columns, rows }: Whose,
): Promise<Recorder | null> {
  if (recording === undefined) return null;
  const now = services.clock.now();
  const times = { started_at: instant(now), kept_until: keptUntil(now, recording) };
  try {
    const room = await roomForAnother(services, recording);
    if (room === null) throw new NoShell('unrecorded');
    const whose = { user_id, user, account, ...(remote && { machine: serverText(remote) }), source_address };
    return await Recorder.begin(services, { ...whose, ...times, columns, rows }, room);
  } catch (error) {
    if (error instanceof NoShell) throw error;
    failed(services, error as Error);
    throw new NoShell('unrecorded');
  }
}

/** Never throws: a recording without an end is shown as cut off. */
export async function endRecording(services: Services, recorder: Recorder | null, cause: string): Promise<void> {
  await recorder?.end(cause).catch((error: Error) => failed(services, error));
}

const failed = ({ logger }: Services, { message }: Error): void =>
  logger.error('recording of a terminal', { failure: { message } });
