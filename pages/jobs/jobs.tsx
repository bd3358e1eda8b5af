// Durable jobs, newest first.

import * as v from 'valibot';
import { jobPage, jobWords } from '../../shared/appliance/about-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ENDED, JOB_SORTS, JOB_STATES, type Job, jobFilter, listJobs } from '../../shared/kernel/jobs/job.ts';
import { JOBS_LIST } from '../../shared/kernel/jobs/list-words.ts';
import { CopyableId } from '../components/copyable.tsx';
import type { Column } from '../components/table.tsx';
import { duration, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import type { Choosing } from '../units/chosen-rows.tsx';
import { askedOf, type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { JobStateWord, jobStateWord, ranFor, unsaidOf } from './job-words.tsx';

const PATH = pagePath('jobs');
const JOBS_OF_A_PAGE = 50;
const JOBS: Choosing<Job> = { table: 'jobs', listed: JOBS_LIST, title: jobWords, effect: 'immediate' };

interface Jobs extends ListedRows<Job> {
  state: string;
}

export const page = definePage({
  id: 'jobsPage',
  path: PATH,
  access: { session: 'read:jobs' },
  query: v.object(ROW_QUERY),
  async load({ db, query, outcome }): Promise<Jobs> {
    const asked = askedOf(JOBS, outcome, query);
    const found = await listJobs(db, { ...jobFilter(asked), cursor: asked.cursor, limit: JOBS_OF_A_PAGE });
    return { items: found.items, next: found.next_cursor, at: placeText(asked), state: asked.state };
  },
  title: () => 'Jobs',
  refreshes: ({ items }) => !items.every(hasEnded),
  view: JobsView,
});

const hasEnded = ({ state }: Job): boolean => ENDED.includes(state);

function JobsView({ data, state, outcome }: ViewProps<Jobs>) {
  const open = data.items.some((job) => !hasEnded(job));
  return (
    <ListPage
      head={{
        title: 'Jobs',
        intro: 'Work in the background that survives a restart: applies, downloads, deployments.',
      }}
      of={JOBS}
      listed={data}
      outcome={outcome}
      csrf={state.csrf}
      href={PATH}
      // Nothing is done with jobs that have ended.
      action={state.user.scopes.includes('write:jobs') && open ? `${PATH}/chosen` : null}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state'] }}
      caption="Jobs, newest first unless sorted"
      searchLabel="Kind, subject, id or user"
      columns={columns(state.now)}
      sorts={JOB_SORTS}
      own={{ key: 'created_at', descending: true }}
      selects={[
        {
          name: 'state',
          label: 'State',
          any: 'Any state',
          value: data.state,
          options: JOB_STATES.map((value) => ({ value, label: jobStateWord(value) })),
        },
      ]}
      choosable={(job) => !hasEnded(job)}
      asking={() => (
        <p>
          A queued job ends at once. A running one stops at its next safe point and leaves the rest; an apply finishes
          the unit that it is at.
        </p>
      )}
      live={(table) => (
        <div data-live="jobs" id="jobs" data-done={open ? undefined : 'true'}>
          {table}
        </div>
      )}
      empty="No job yet. Applying a reviewed plan makes the first one."
    />
  );
}

function columns(now: string): [Column<Job>, ...Column<Job>[]] {
  return [
    {
      key: 'kind',
      label: 'Job',
      cell: (job) => <a href={pagePath('job', job.id)}>{jobWords(job)}</a>,
    },
    {
      key: 'state',
      label: 'State',
      look: 'nowrap',
      cell: ({ state, result }) => <JobStateWord state={state} result={result} />,
    },
    { key: 'progress', label: 'Progress', look: 'number', cell: (job) => `${job.progress_percent} %` },
    { key: 'subject', label: 'About', cell: (job) => <About job={job} /> },
    { key: 'created_by', label: 'By', cell: ({ created_by }) => created_by },
    {
      key: 'created_at',
      label: 'Created',
      look: 'nowrap',
      cell: ({ created_at }) => <Instant at={created_at} now={now} />,
    },
    {
      key: 'took',
      label: 'Took',
      look: 'number',
      cell: (job) => {
        const took = ranFor(job, now);
        return took === null ? '' : duration(took);
      },
    },
    { key: 'id', label: 'Id', look: 'nowrap', cell: ({ id }) => <CopyableId id={id} /> },
  ];
}

/** Its kind's own page; without one, what its words do not say of its subject. */
function About({ job }: { job: Job }) {
  const own = jobPage(job);
  if (own !== null) return <a href={own.href}>{own.label}</a>;
  const rest = unsaidOf(job);
  return rest === '' ? null : <code class="wrap">{rest}</code>;
}
