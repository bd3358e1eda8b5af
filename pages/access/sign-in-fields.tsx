// What a person signs in with, on whichever plane.
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { TextField } from '../components/form.tsx';
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
