// A password that a step of a wizard asks for: it is in no vault, and no page is ever filled in with it.
import { TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';

export interface PasswordFieldProps {
  name: string;
  label: string;
  help: string;
  typed: Typed;
  /** It was typed in a step before. */
  again?: boolean | undefined;
}

export function PasswordField({ name, label, help, typed, again }: PasswordFieldProps) {
  return (
    <div data-login={again ? 'again' : 'typed'}>
      <TextField
        name={name}
        label={label}
        type="password"
        mono
        value=""
        error={typed.of(name)}
        required
        maxlength={1024}
        autocomplete="new-password"
        help={help}
      />
    </div>
  );
}
