// What a person signs in with, on whichever plane.
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { TextField } from '../components/form.tsx';
import { Refusal, type RefusalProps } from '../components/refusal.tsx';
import { errorsOf } from './form-errors.ts';

/** `code`: the second factor is asked for in the same form. */
export function SignInFields({ outcome, code = false }: { outcome: FormOutcome | null; code?: boolean }) {
  const { of } = errorsOf(outcome);
  return (
    <>
      <TextField
        name="username"
        label="User name"
        value={outcome?.values.get('username') ?? ''}
        autocomplete="username"
        mono
        required
        error={of('username')}
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        value=""
        autocomplete="current-password"
        required
        error={of('password')}
      />
      {code && (
        <TextField
          name="code"
          label="Code of your second factor"
          value=""
          autocomplete="one-time-code"
          help="Only if you have one: the six digits of your authenticator app, or a recovery code. A passkey works on the management pages alone."
          mono
          error={of('code')}
        />
      )}
    </>
  );
}

/** Nothing was wrong with it where a restore is being saved: the same again is all that it takes. */
export function SignInRefused({ problem }: Pick<RefusalProps, 'problem'>) {
  if (problem.status !== 423) return <Refusal problem={problem} title="Sign-in failed" />;
  const detail = 'A restore is being saved at this moment. Enter your password and press Sign in again.';
  return <Refusal problem={{ ...problem, detail }} title="Not signed in yet" />;
}
