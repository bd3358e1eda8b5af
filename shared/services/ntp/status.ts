// The appliance's clock and its sources, by the running chronyd.
import * as v from 'valibot';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { component, described, integerSchema } from '../../ground/schemas/component.ts';
import {
  parseSources,
  parseTracking,
  type SeenClock,
  type SeenSource,
  SOURCE_STATES,
  withoutSpares,
} from './chronyc-output.ts';
import { chronyc, chronyDaemon } from './files.ts';

export interface NtpStatus {
  running: boolean;
  /** Why there is no status; null when there is one. */
  reason: string | null;
  clock: SeenClock | null;
  sources: SeenSource[] | null;
}

const seconds = v.nullable(v.number());

const sourceSchema = v.object({
  address: described(v.string(), 'As saved: a server’s address or name; of a pool’s machines the name of the pool.'),
  state: described(
    v.picklist(SOURCE_STATES),
    'selected: the clock follows it. combined: it counts, too. not_combined: it would do, but is not needed. unusable: no answer yet, or none for long. falseticker: the majority disagrees with it. too_variable: its time jumps.',
  ),
  stratum: described(integerSchema, 'Its own distance from a reference clock; 0 while it never answered.'),
  poll_seconds: described(v.number(), 'Seconds between two questions.'),
  reach: described(v.string(), 'The last eight questions as octal digits, a bit each: 377 when all were answered.'),
  last_answer_seconds: described(seconds, 'Seconds since its last answer; null while it never answered.'),
  offset_seconds: described(seconds, 'Its clock minus the appliance’s at the last answer.'),
  error_seconds: described(seconds, 'How wrong the offset may be, either way.'),
});

const clockSchema = v.object({
  synchronised: described(v.boolean(), 'Whether the clock follows a source.'),
  stratum: described(
    v.nullable(integerSchema),
    'As told to clients; null while clients are told that it is not known.',
  ),
  reference: described(
    v.nullable(v.string()),
    'The source that the clock follows; local while clients get the time of the appliance’s own clock.',
  ),
  offset_seconds: described(seconds, 'By how much the clock is still being corrected.'),
});

export const ntpStatusSchema = component(
  'NtpStatus',
  v.object({
    running: described(v.boolean(), 'Whether the time service runs on the host.'),
    reason: described(v.nullable(v.string()), 'Why clock and sources are null; null when they are there.'),
    clock: described(v.nullable(clockSchema), 'The appliance’s clock; null where it cannot be asked.'),
    sources: described(
      v.nullable(v.array(sourceSchema)),
      'Machines that it takes the time from; null where it cannot be asked.',
    ),
  }),
);

const unseen = (running: boolean, reason: string): NtpStatus => ({ running, reason, clock: null, sources: null });

/** Never throws for a daemon that does not answer. Runs three programs at most, of some milliseconds each. */
export async function ntpStatus(host: Host): Promise<NtpStatus> {
  if (!host.enforces) return unseen(false, 'This is a rehearsal: the time service does not run.');
  if (!(await host.daemonRunning(chronyDaemon(host)))) return unseen(false, 'The time service does not run.');
  const [tracking, sources] = await Promise.all([chronyc(host, ['tracking']), chronyc(host, ['sources', '-a'])]);
  const clock = tracking.code === 0 ? parseTracking(tracking.stdout) : null;
  if (clock === null || sources.code !== 0) {
    return unseen(true, `The time service could not be asked: ${firstLine(tracking.code === 0 ? sources : tracking)}`);
  }
  return { running: true, reason: null, clock, sources: withoutSpares(parseSources(sources.stdout)) };
}
