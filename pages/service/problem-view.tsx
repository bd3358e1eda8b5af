// A refusal as a page: what happened, what to do about it, and what a report needs.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { type Blocker, type FieldError, PROBLEM_KINDS, type ProblemKind } from '../../shared/ground/problems.ts';
import { isScope, ROLES, type Scope, scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { ROLE_WORDS } from '../access/user-fields.tsx';
import { ButtonLink } from '../components/button.tsx';
import type { Fact } from '../components/facts.tsx';
import { ProblemBody } from '../components/problem.tsx';
import { NAVIGATION } from '../layout/navigation.ts';
import { PROBLEM_PAGES } from './problem-pages.ts';

export interface ProblemViewProps {
  problem: FormOutcome['problem'];
  now: string;
  home: string;
  /** Whether jobs can be followed from here. */
  management: boolean;
}

export function titleOf(problem: FormOutcome['problem']): string {
  return problem ? `${problem.status} ${problem.title}` : 'Nothing went wrong';
}

export function ProblemView({ problem, now, home, management }: ProblemViewProps) {
  if (!problem) return <NoProblem />;
  const kind = kindOf(problem.type);
  const owner = problem.owner as { job_id: string; since: string; page?: string } | undefined;
  const facts: Fact[] = [];
  if (owner) facts.push({ label: 'Owned by', value: <Owner job_id={owner.job_id} management={management} /> });
  return (
    <ProblemBody
      status={problem.status}
      title={problem.title}
      headline={HEADLINES[kind]}
      detail={problem.detail}
      missing={scopeFacts(problem)}
      error_code={problem.error_code}
      type={`/problems/${kind}`}
      request_id={problem.request_id}
      request={problem.instance}
      at={now}
      errors={(problem.errors as FieldError[] | undefined) ?? []}
      blockers={(problem.blockers as Blocker[] | undefined) ?? []}
      facts={facts}
      actions={
        <>
          {owner && management && (
            <ButtonLink kind="primary" href={owner.page ?? pagePath('job', owner.job_id)}>
              {owner.page ? 'To the plan that waits' : 'Follow the job'}
            </ButtonLink>
          )}
          <ButtonLink href={home}>{management ? 'To the overview' : 'To the first page'}</ButtonLink>
          <ButtonLink kind="row" href={`/problems/${kind}`}>
            What {problem.status} means and what to do
          </ButtonLink>
        </>
      }
    />
  );
}

/** The missing scope, the caller's role, and the roles that have the scope. */
function scopeFacts({ scope, role }: NonNullable<FormOutcome['problem']>): Fact[] {
  if (typeof scope !== 'string' || !isScope(scope)) return [];
  const facts: Fact[] = [
    {
      label: 'Needs',
      value: (
        <>
          <code>{scope}</code> {scopeWords(scope)}
        </>
      ),
    },
  ];
  const own = ROLES.find((each) => each === role);
  if (own !== undefined) facts.push({ label: 'Your role', value: `${own}: ${ROLE_WORDS[own]}` });
  facts.push({ label: 'Roles that have it', value: ROLES.filter((each) => scopesOfRole(each).has(scope)).join(', ') });
  return facts;
}

/** `to change DNS`: the scope in words, with the navigation's name of the resource. */
function scopeWords(scope: Scope): string {
  const [verb, resource] = scope.split(':');
  const label = NAVIGATION.find(({ permission }) => permission === `read:${resource}`)?.label ?? resource;
  return `to ${verb === 'write' ? 'change' : 'see'} ${label}`;
}

const HEADLINES: Partial<Record<ProblemKind, string>> = {
  forbidden: 'You may not do this',
  'not-found': 'There is nothing at this address',
  locked: 'Nothing was saved: another operation owns this for now',
  internal: 'The appliance failed; nothing was saved',
  'storage-full': 'The appliance has no space left; nothing was saved',
  'stale-revision': 'Somebody else was faster; nothing was saved',
};

function Owner({ job_id, management }: { job_id: string; management: boolean }) {
  return management ? (
    <a href={pagePath('job', job_id)}>
      <code>{job_id}</code>
    </a>
  ) : (
    <code>{job_id}</code>
  );
}

function kindOf(type: string): ProblemKind {
  const name = type.split('/').at(-1) ?? '';
  return name in PROBLEM_PAGES ? (name as ProblemKind) : 'internal';
}

function NoProblem() {
  return (
    <>
      <h1>Nothing went wrong</h1>
      <p>A refusal is shown here in place of the page that was asked for. These are the kinds that there are:</p>
      <ul class="says">
        {Object.entries(PROBLEM_KINDS).map(([kind, { status, title }]) => (
          <li key={kind}>
            <a href={`/problems/${kind}`}>
              {status} {title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
