// The field for the user's own password, at the end of each form that an unattended browser must not be able to send.
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { TextField } from '../components/form.tsx';

/** For error summaries. */
export const OWN_PASSWORD_LABEL = { [OWN_PASSWORD]: 'Your password' };

/** `optional`: a button of the form does without it. */
export function OwnPasswordField({
  error,
  label,
  optional = false,
}: {
  error: string | undefined;
  label?: string;
  optional?: boolean;
}) {
  return (
    <TextField
      name={OWN_PASSWORD}
      label={label ?? OWN_PASSWORD_LABEL[OWN_PASSWORD]}
      type="password"
      value=""
      autocomplete="current-password"
      help="Your own password, to confirm that it is you."
      required={!optional}
      error={error}
    />
  );
}
