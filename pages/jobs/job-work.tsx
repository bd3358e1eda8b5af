// What a job does, as its own page and the page of what it is about show it: how far it is, its steps, its timeline.

import { stopScope } from '../../shared/appliance/about-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ENDED, type Job } from '../../shared/kernel/jobs/job.ts';
import { PostButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Events } from '../components/events.tsx';
import { Timeline } from '../components/timeline.tsx';
import type { ShellState } from '../layout/state.ts';
import { eventsOf, ranFor, timelineOf, whyNotCancel } from './job-words.tsx';

export interface JobWorkProps {
  job: Job;
  now: string;
}

/** How far the whole of it is, and at which step; nothing for one that has ended. */
export function JobProgress({ job }: { job: Job }) {
  if (ENDED.includes(job.state)) return null;
  const at = job.tasks.findIndex(({ state }) => state === 'running');
  return (
    <div class="progress">
      <progress value={job.progress_percent} max={100} aria-labelledby="job-progress" />
      <p id="job-progress">
        {at === -1 ? (
          'Waits for its turn'
        ) : (
          <>
            Step {at + 1} of {job.tasks.length}: <b>{job.tasks[at]!.title}</b>
          </>
        )}
      </p>
    </div>
  );
}

/** Every step with how far it is, and the lines of its log. */
export function StepList({ job, now }: JobWorkProps) {
  return (
    <section class="steps-run">
      <h2>Steps</h2>
      {job.tasks.length === 0 ? <Empty>This job has no steps.</Empty> : <Events lines={eventsOf(job, now)} />}
    </section>
  );
}

/** What ran when; nothing for a job that was too short to draw. `continues`: it failed, and can be gone on with. */
export function JobTimeline({ job, now, continues = false }: JobWorkProps & { continues?: boolean }) {
  const rows = timelineOf(job, now);
  const drawn = rows.filter(({ bars }) => bars.length > 0);
  if (drawn.length === 0) return null;
  // What has not begun by the end never does, unless somebody goes on with the job.
  const may_begin = continues || !ENDED.includes(job.state);
  return <Timeline rows={may_begin ? rows : drawn} total_ms={ranFor(job, now) ?? 0} />;
}

const PATIENCE: Readonly<Record<string, string>> = {
  apply: 'A running apply finishes the unit that it is at.',
};

/** Asks it to stop. `what`: on the button. */
export function StopJob({
  job,
  state,
  what = 'Stop the job',
}: {
  job: Job;
  state: ShellState;
  what?: string | undefined;
}) {
  return (
    <div class="actions">
      <PostButton
        kind="bad"
        action={`${pagePath('job', job.id)}/cancel`}
        csrf={state.csrf}
        unavailable={whyNotCancel(job.state, state.user.scopes, stopScope(job))}
      >
        {what}
      </PostButton>
      {!ENDED.includes(job.state) && (
        <p class="muted">{PATIENCE[job.kind] ?? 'A running job stops at its next safe point.'}</p>
      )}
    </div>
  );
}
