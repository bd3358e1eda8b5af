// Durable jobs, newest first.

import * as v from 'valibot';
import { jobPage, jobWords } from '../../shared/appliance/about-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { ENDED, JOB_STATES, type Job, type JobState, listJobs } from '../../shared/kernel/jobs/job.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { linkWith } from '../components/query.ts';
import { type Column, DataTable } from '../components/table.tsx';
import { duration, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { JobStateWord, jobStateWord, ranFor, unsaidOf } from './job-words.tsx';

const PATH = pagePath('jobs');
const JOBS_OF_A_PAGE = 50;

interface Jobs {
  jobs: Page<Job>;
  state: string;
}

export const page = definePage({
  id: 'jobsPage',
  path: PATH,
  access: { session: 'read:jobs' },
  query: v.object({ state: v.optional(v.string(), ''), cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  load: async ({ db, query }): Promise<Jobs> => {
    const state = JOB_STATES.find((known) => known === query.state);
    return { jobs: await listJobs(db, { state, cursor: query.cursor, limit: JOBS_OF_A_PAGE }), state: state ?? '' };
  },
  title: () => 'Jobs',
  refreshes: ({ jobs }) => !jobs.items.every(({ state }) => ENDED.includes(state)),
  view: JobsView,
});

function JobsView({ data: { jobs, state: chosen }, state }: ViewProps<Jobs>) {
  const place = { path: PATH, query: state.query };
  return (
    <>
      <PageHead title="Jobs" intro="Work in the background that survives a restart: applies, downloads, deployments." />
      <FilterBar
        place={place}
        segments={{
          name: 'state',
          label: 'State',
          value: chosen,
          options: [
            { value: '', label: 'All' },
            ...JOB_STATES.map((value: JobState) => ({ value, label: jobStateWord(value) })),
          ],
        }}
        csv={linkWith({ path: `${PATH}.csv`, query: '' }, { state: chosen || null })}
      />
      <div
        data-live="jobs"
        id="jobs"
        data-done={jobs.items.every(({ state: is }) => ENDED.includes(is)) ? 'true' : undefined}
      >
        <DataTable
          caption="Jobs, newest first"
          columns={columns(state.now)}
          rows={jobs.items}
          rowKey={({ id }) => id}
          empty={
            chosen === '' ? (
              'No job yet. Applying a reviewed plan makes the first one.'
            ) : (
              <Empty action={<ButtonLink href={PATH}>Show all</ButtonLink>}>No job is in this state.</Empty>
            )
          }
        />
      </div>
      <Pagination place={place} nextCursor={jobs.next_cursor} />
    </>
  );
}

function columns(now: string): [Column<Job>, ...Column<Job>[]] {
  return [
    {
      key: 'id',
      label: 'Job',
      cell: (job) => (
        <a href={`${PATH}/${encodeURIComponent(job.id)}`} title={job.id}>
          {jobWords(job)}
        </a>
      ),
    },
    {
      key: 'state',
      label: 'State',
      look: 'nowrap',
      cell: ({ state, result }) => <JobStateWord state={state} result={result} />,
    },
    { key: 'progress', label: 'Progress', look: 'number', cell: (job) => `${job.progress_percent} %` },
    { key: 'subject', label: 'About', cell: (job) => <About job={job} /> },
    { key: 'by', label: 'By', cell: ({ created_by }) => created_by },
    { key: 'at', label: 'Created', look: 'nowrap', cell: ({ created_at }) => <Instant at={created_at} now={now} /> },
    {
      key: 'took',
      label: 'Took',
      look: 'number',
      cell: (job) => {
        const took = ranFor(job, now);
        return took === null ? '' : duration(took);
      },
    },
  ];
}

/** Its kind's own page; without one, what its words do not say of its subject. */
function About({ job }: { job: Job }) {
  const own = jobPage(job);
  if (own !== null) return <a href={own.href}>{own.label}</a>;
  const rest = unsaidOf(job);
  return rest === '' ? null : <code class="wrap">{rest}</code>;
}
