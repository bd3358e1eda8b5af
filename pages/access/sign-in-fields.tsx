// What a person signs in with, on whichever plane.
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { TextField } from '../components/form.tsx';
import { errorsOf } from './form-errors.ts';

export function SignInFields({ outcome }: { outcome: FormOutcome | null }) {
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
    </>
  );
}
