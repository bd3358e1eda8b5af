// From the tasks and journal of an apply to what its page draws and says. Pure.
import type { PlannedUnit } from '../../shared/appliance/apply/plan.ts';
import type { RunJournal } from '../../shared/appliance/apply/plan-store.ts';
import { CONFIRM_TASK } from '../../shared/appliance/apply/submit.ts';
import { ENDED, type Job, type LogLine, type TaskState } from '../../shared/kernel/jobs/job.ts';
import type { Bar, TimelineRow } from '../components/timeline.tsx';

/** Tasks that are no unit: before them, and after. */
const AROUND: readonly string[] = ['prepare', CONFIRM_TASK];

type Step = LogLine & { kind: NonNullable<LogLine['kind']>; duration_ms: number };
const isStep = (line: LogLine): line is Step => line.kind !== undefined && line.duration_ms !== undefined;

/** Bars in milliseconds since the job started. A log line is written when its step has ended. */
export function timelineOf(job: Job): { rows: TimelineRow[]; total_ms: number } {
  const steps = job.tasks.flatMap((task) => task.log.filter(isStep));
  const started = Math.min(...steps.map((step) => Date.parse(step.at) - step.duration_ms));
  const rows = job.tasks.map(({ title, log }) => ({
    label: title,
    bars: log.filter(isStep).reduce<Bar[]>((bars, step) => {
      const end = Date.parse(step.at) - started;
      const kind = step.ok === false ? 'bad' : step.kind;
      return joined(bars, { kind, start_ms: end - step.duration_ms, duration_ms: step.duration_ms });
    }, []),
  }));
  const ends = steps.map((step) => Date.parse(step.at) - started);
  return { rows, total_ms: Math.max(0, ...ends) };
}

/** Steps of a kind that follow each other are one bar. */
function joined(bars: readonly Bar[], next: Bar): Bar[] {
  const last = bars.at(-1);
  if (last === undefined || last.kind !== next.kind) return [...bars, next];
  const end = next.start_ms + next.duration_ms;
  return [...bars.slice(0, -1), { ...last, duration_ms: end - last.start_ms }];
}

export interface Progress {
  done: number;
  total: number;
  /** What it does now, or null before it starts and after its end. */
  current: string | null;
}

export function progressOf(job: Job): Progress {
  const work = job.tasks.filter(({ name }) => !AROUND.includes(name));
  return {
    done: work.filter(({ state }) => state === 'succeeded').length,
    total: work.length,
    current: job.tasks.find(({ state }) => state === 'running')?.title ?? null,
  };
}

export function hasEnded(job: Job): boolean {
  return ENDED.includes(job.state);
}

/** What became of each unit of a plan that did not go through, in its order; `left`: labels of those it never came to. */
export function outcomes(planned: readonly PlannedUnit[], job: Job, journal: RunJournal) {
  const states = new Map(job.tasks.map(({ name, state }) => [name, state]));
  const said = planned.map(({ id, label }) => ({ label, became: outcome(states.get(id), journal[id]) }));
  return {
    reached: said.flatMap(({ label, became }) => (became === null ? [] : [`${label}: ${became}.`])),
    left: said.flatMap(({ label, became }) => (became === null ? [label] : [])),
  };
}

function outcome(task: TaskState | undefined, reached: RunJournal[keyof RunJournal]): string | null {
  if (reached === 'applied') return 'applied, and stays in force';
  if (reached === 'restored' && task === 'succeeded') return 'was in force for a while; what it had before is again';
  if (reached === 'restored') return 'failed; its previous files are in force again, byte for byte';
  if (reached === 'unrestored') {
    return 'failed, and its previous files could not be restored; the log below says why';
  }
  if (task === 'failed') return 'refused before anything was written; what was in force still is';
  return null;
}
