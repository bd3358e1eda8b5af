// States of jobs and tasks in words, and a job's log as the bars of a timeline.
import type { ComponentChildren } from 'preact';
import { jobWarnings, jobWords } from '../../shared/appliance/about-jobs.ts';
import type { Scope } from '../../shared/kernel/access/scopes.ts';
import { ENDED, type Job, type JobState, type Task, type TaskState } from '../../shared/kernel/jobs/job.ts';
import { byteWords, rateWords } from '../components/byte-words.ts';
import type { EventLine, EventState } from '../components/events.tsx';
import type { IconName } from '../components/icons.tsx';
import { Progress, type ProgressLook } from '../components/progress.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { duration } from '../components/time.tsx';
import type { Bar, BarKind, TimelineRow } from '../components/timeline.tsx';

const WORDS: Record<JobState | TaskState, { kind: StateKind; word: string; icon?: IconName }> = {
  queued: { kind: 'off', icon: 'clock', word: 'Queued' },
  running: { kind: 'warn', icon: 'clock', word: 'Running' },
  waiting: { kind: 'warn', icon: 'clock', word: 'Waiting for you' },
  succeeded: { kind: 'ok', word: 'Succeeded' },
  failed: { kind: 'bad', word: 'Failed' },
  cancelled: { kind: 'off', icon: 'skip', word: 'Cancelled' },
  skipped: { kind: 'off', icon: 'skip', word: 'Skipped' },
};

/** @param result of a job: one with warnings is not told as plain success */
export function JobStateWord({ state, result = null }: { state: JobState; result?: unknown }) {
  if (jobWarnings({ state, result }).length > 0) return <State kind="warn">Succeeded with warnings</State>;
  const { kind, icon, word } = WORDS[state];
  return (
    <State kind={kind} {...(icon && { icon })}>
      {word}
    </State>
  );
}

/** The first thing to know of one that succeeded with something left open. */
export function warningFacts(job: Pick<Job, 'state' | 'result'>): { label: string; value: ComponentChildren }[] {
  return jobWarnings(job).map((text) => ({ label: 'Outcome', value: text }));
}

/** What its words do not say of its subject; empty when they say all. */
export function unsaidOf(job: Pick<Job, 'kind' | 'subject'>): string {
  const said = jobWords(job).split(' ');
  return (job.subject ?? '')
    .split(' ')
    .filter((word) => !said.includes(word))
    .join(' ');
}

export const jobStateWord = (state: JobState): string => WORDS[state].word;

/** Milliseconds from start to end, or to now while it runs; null before it started. */
export function ranFor({ started_at, finished_at }: Pick<Job | Task, 'started_at' | 'finished_at'>, now: string) {
  if (started_at === null) return null;
  return Math.max(0, Date.parse(finished_at ?? now) - Date.parse(started_at));
}

/** Jobs that took less have nothing to draw to scale, unless they wrote down what did. */
const WORTH_DRAWING_MS = 10_000;

/** Bars of what took time: lines that say so; where there are none, the tasks themselves. A line is written when its step ends. */
export function timelineOf(job: Job, now: string): TimelineRow[] {
  const begun = Date.parse(job.started_at ?? job.created_at);
  const rows = job.tasks.map((task) => ({
    label: task.title,
    bars: task.log.flatMap(({ at, kind, duration_ms, text }) => {
      if (kind === undefined || duration_ms === undefined) return [];
      const start_ms = Math.max(0, Date.parse(at) - duration_ms - begun);
      return [{ kind, start_ms, duration_ms, text }];
    }),
  }));
  if (rows.some(({ bars }) => bars.length > 0) || (ranFor(job, now) ?? 0) < WORTH_DRAWING_MS) return rows;
  return job.tasks.map((task) => ({ label: task.title, bars: barOf(task, begun, now) }));
}

const TASK_BARS: Partial<Record<TaskState, BarKind>> = {
  running: 'now',
  succeeded: 'step',
  failed: 'bad',
  cancelled: 'bad',
};

function barOf(task: Task, begun: number, now: string): Bar[] {
  const kind = TASK_BARS[task.state];
  const duration_ms = ranFor(task, now);
  if (kind === undefined || duration_ms === null) return [];
  return [{ kind, start_ms: Math.max(0, Date.parse(task.started_at!) - begun), duration_ms }];
}

const TASK_LINES: Record<TaskState, EventState> = {
  queued: 'later',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'note',
  cancelled: 'note',
};

/** Every task as a heading, followed by the lines of its log. */
export function eventsOf(job: Job, now: string): EventLine[] {
  return foldSkipped(job.tasks).flatMap((task) => {
    const took = ranFor(task, now);
    const heading: EventLine = {
      key: task.id,
      at: task.started_at,
      state: task.log.some(({ warning }) => warning) ? 'warning' : TASK_LINES[task.state],
      text: `${task.title}${task.state === 'skipped' || task.state === 'cancelled' ? `: ${WORDS[task.state].word.toLowerCase()}` : ''}`,
      ...(took !== null && { took: duration(took) }),
      group: true,
      below: <StepProgress task={task} now={now} />,
    };
    const lines = task.log.map(
      ({ at, text, duration_ms, ok, warning }, index): EventLine => ({
        key: `${task.id} ${index}`,
        at,
        state: warning ? 'warning' : ok === false ? 'failed' : ok === true ? 'done' : 'note',
        text,
        ...(duration_ms !== undefined && { took: duration(duration_ms) }),
      }),
    );
    return [heading, ...lines];
  });
}

/** Steps that were skipped one after the other are told once. */
function foldSkipped(tasks: readonly Task[]): Task[] {
  const folded: Task[] = [];
  const silent = (task: Task | undefined) => task?.state === 'skipped' && task.log.length === 0;
  for (const task of tasks) {
    const last = folded.at(-1);
    if (last && silent(last) && silent(task))
      folded[folded.length - 1] = { ...last, title: `${last.title}, ${task.title}` };
    else folded.push(task);
  }
  return folded;
}

const PROGRESS_LOOKS: Record<TaskState, ProgressLook | null> = {
  queued: null,
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: null,
  cancelled: 'failed',
};

/** The bar of a step that tells how far it is; one that succeeded only says what it moved. */
export function StepProgress({ task, now }: { task: Task; now: string }) {
  const { state, progress, progress_percent: percent, title } = task;
  const look = PROGRESS_LOOKS[state];
  if (look === null || progress === null) return null;
  if (look === 'done' && progress.total_rows !== undefined)
    return <span class="moved">{progress.total_rows.toLocaleString('en')} rows</span>;
  if (look === 'done') return <Moved bytes={progress.total_bytes ?? progress.done_bytes} took={ranFor(task, now)} />;
  return (
    <Progress
      label={title}
      percent={percent}
      look={look}
      figures={progress}
      {...(look === 'failed' && { note: 'where it stopped' })}
    />
  );
}

function Moved({ bytes, took }: { bytes: number | undefined; took: number | null }) {
  if (bytes === undefined) return null;
  const rate = took === null || took < 1000 ? '' : `, ${rateWords((bytes * 1000) / took)} on average`;
  return (
    <span class="moved">
      {byteWords(bytes)}
      {rate}
    </span>
  );
}

/** Why a job can't be asked to stop now; undefined when it can. `stops`: what its kind wants beside write:jobs. */
export function whyNotCancel(state: JobState, scopes: readonly string[], stops?: Scope): string | undefined {
  if (ENDED.includes(state)) return 'it has ended';
  if (!scopes.includes('write:jobs')) return 'your role may look at jobs, not stop them';
  if (stops !== undefined && !scopes.includes(stops)) return `stopping this job needs ${stops} as well`;
  return undefined;
}
