// What a job asks for that failed because what was typed for it was only in memory: that again, and it goes on.

import type { ComponentChildren } from 'preact';
import type { Continuation, ContinuationField } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { TRUST_KIND } from '../../shared/vcf/remote/trust-job.ts';
import { Button } from '../components/button.tsx';
import { ErrorSummary, errorOf } from '../components/error-summary.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import type { ShellState } from '../layout/state.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  added: 'it trusts the certificate now',
  'already-trusted': 'it trusted the certificate before; nothing was changed',
};

/** Facts of a job on a remote machine: which one, and what came of it. */
export function remoteFacts({ kind, subject, result }: Job): { label: string; value: ComponentChildren }[] {
  if (kind !== TRUST_KIND) return [];
  const [server, sha256] = (subject ?? '').split(' ');
  const outcome = OUTCOMES[String((result as { outcome?: unknown } | null)?.outcome)];
  return [
    { label: 'Server', value: <code>{server}</code> },
    { label: 'Certificate to trust', value: <code class="wrap">{sha256}</code> },
    ...(outcome === undefined ? [] : [{ label: 'Outcome', value: outcome }]),
  ];
}

export interface ContinueJobProps {
  job: Job;
  /** What it asks for. */
  asks: Continuation;
  state: ShellState;
  /** The outcome of this form, when it was refused. */
  outcome: FormOutcome | null;
}

/** The form of exactly what the job asks for. */
export function ContinueJob({ job, asks: { scope, fields }, state, outcome }: ContinueJobProps) {
  const may = state.user.scopes.includes(scope) && state.user.scopes.includes('write:jobs');
  const errors = (outcome?.problem?.errors as FieldError[] | undefined) ?? [];
  return (
    <section class="continue-job" aria-labelledby="continue-title">
      <h2 id="continue-title">Enter {fields.some(isLogin) ? 'the login' : 'what is missing'} again to continue</h2>
      <Form action={`${pagePath('job', job.id)}/continue`} csrf={state.csrf} label="Continue" look="stack">
        {fields.map(({ name, label, kind, help, value, most = 1024 }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            type={kind}
            mono
            value={kind === 'text' ? (value ?? '') : ''}
            error={errorOf(errors, name)}
            required
            maxlength={most}
            autocomplete={kind === 'password' ? 'new-password' : 'off'}
            {...(help !== undefined && { help })}
          />
        ))}
        <FormActions>
          <Button kind="primary" unavailable={may ? undefined : 'your role may look at jobs only'}>
            Continue the job
          </Button>
        </FormActions>
      </Form>
    </section>
  );
}

const isLogin = ({ name }: ContinuationField): boolean => name === 'username';

/** Why the form was refused, with links to its fields. */
export function NotContinued({ asks, outcome }: { asks: Continuation | null; outcome: FormOutcome | null }) {
  const problem = outcome?.operation_id === 'continueJobForm' ? outcome.problem : null;
  if (!problem) return null;
  const errors = (problem.errors as FieldError[] | undefined) ?? [];
  if (errors.length === 0) return <Refusal problem={problem} title="The job does not go on" />;
  const labels = Object.fromEntries(asks?.fields.map(({ name, label }) => [name, label]) ?? []);
  return <ErrorSummary errors={errors} labels={labels} title="The job has not resumed yet" />;
}
