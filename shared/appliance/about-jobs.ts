// What a job is in words that people read, the page that follows it, and who may stop it. Its kind says all of them.
import { pagePath } from '../ground/page-paths.ts';
import type { Scope } from '../kernel/access/scopes.ts';
import type { Job } from '../kernel/jobs/job.ts';
import type { JobKind, JobPage } from '../kernel/jobs/kind.ts';
import { JOB_KINDS } from './job-kinds.ts';

type Named = Pick<Job, 'kind' | 'subject'>;

/** `Deploy sddc-manager to vc01.lab.example`; the name of its kind for one that this program does not know. */
export function jobWords({ kind, subject }: Named, kinds: readonly JobKind[] = JOB_KINDS): string {
  return kinds.find((known) => known.kind === kind)?.says?.(subject ?? '') ?? kind;
}

/** The kind's own page of this job; null where the page of any job is all there is. */
export function jobPage(job: Named & Pick<Job, 'id'>, kinds: readonly JobKind[] = JOB_KINDS): JobPage | null {
  const { id, subject } = job;
  if (subject === null) return null;
  return kinds.find(({ kind }) => kind === job.kind)?.page?.({ id, subject }) ?? null;
}

/** A file that says more of a failed job than it does itself; null: there is none. */
export function jobFile({ id, kind, error }: Job, kinds: readonly JobKind[] = JOB_KINDS): JobPage | null {
  const errors = (error?.errors as unknown[] | undefined) ?? [];
  return errors.length === 0 ? null : (kinds.find((known) => known.kind === kind)?.file?.({ id }) ?? null);
}

/** What stopping it needs beside write:jobs: some jobs only somebody may stop who may start them. */
export const stopScope = (job: { kind: string }, kinds: readonly JobKind[] = JOB_KINDS): Scope | undefined =>
  kinds.find(({ kind }) => kind === job.kind)?.stops;

/** What a job that succeeded says that it did not do, or that is not in force; empty: it simply succeeded. */
export function jobWarnings({ state, result }: Pick<Job, 'state' | 'result'>): string[] {
  const { warnings } = (result ?? {}) as { warnings?: unknown };
  return state === 'succeeded' && Array.isArray(warnings) ? warnings.map(String) : [];
}

/** Where whoever has just started or continued it wants to be. */
export const jobHref = (job: Named & Pick<Job, 'id'>): string => jobPage(job)?.href ?? pagePath('job', job.id);
