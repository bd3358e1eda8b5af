// Why a job failed, in its own words, with the ways out of it.
import type { Blocker } from '../../shared/ground/problems.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';

export interface WhyItFailedProps {
  error: NonNullable<Job['error']>;
  title: string;
  /** Page → label, after the ways that the error names itself. */
  ways?: readonly (readonly [page: string, label: string])[];
  /** A page that opens over this one. */
  dialog?: string;
}

export function WhyItFailed({ error, title, ways = [], dialog }: WhyItFailedProps) {
  const named = ((error.blockers as Blocker[] | undefined) ?? []).map(({ page, unblock }) => [page, unblock] as const);
  const buttons = [...new Map(named), ...ways].map(([page, label]) => (
    <ButtonLink key={page} href={page} dialog={page === dialog}>
      {label}
    </ButtonLink>
  ));
  return (
    <section class="failed" aria-labelledby="failed">
      <h2 id="failed">Why it failed</h2>
      <Block title={title} {...(buttons.length > 0 && { actions: buttons })}>
        {error.detail} <code>{error.error_code}</code>
      </Block>
    </section>
  );
}
