// What a job asks for that failed because its typed login was only in memory: the login again, and it goes on.
import type { ComponentChildren } from 'preact';
import type { Job } from '../../shared/jobs/job.ts';
import { continuedWith } from '../../shared/remote/continue-job.ts';
import { TRUST_KIND } from '../../shared/remote/trust-job.ts';
import { Button } from '../components/button.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';
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

export function ContinueJob({ job, state, typed }: { job: Job; state: ShellState; typed: Typed }) {
  const scope = continuedWith(job);
  if (scope === null) return null;
  const may = state.user.scopes.includes(scope) && state.user.scopes.includes('write:jobs');
  return (
    <section aria-labelledby="continue-title">
      <h2 id="continue-title">Enter the login again to continue</h2>
      <Form action={`/ui/management/jobs/${encodeURIComponent(job.id)}/login`} csrf={state.csrf} label="Login">
        <TextField
          name="username"
          label="User name"
          mono
          value={typed.text('username', '')}
          error={typed.of('username')}
          required
          maxlength={255}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          mono
          value=""
          error={typed.of('password')}
          required
          maxlength={1024}
          autocomplete="new-password"
          help="Goes to the server of this job only, over a connection that is pinned to the certificate that was confirmed."
        />
        <FormActions>
          <Button kind="primary" unavailable={may ? undefined : 'your role may look at jobs only'}>
            Continue the job
          </Button>
        </FormActions>
      </Form>
    </section>
  );
}
