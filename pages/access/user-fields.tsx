// Fields that creating and changing a user share, and the words of roles.
import { PASSWORD_MIN_LENGTH } from '../../shared/kernel/access/password.ts';
import { roleWords } from '../../shared/kernel/access/role-words.ts';
import { ROLES, type Role } from '../../shared/kernel/access/scopes.ts';
import { RadioField, TextField } from '../components/form.tsx';

export const ROLE_WORDS = Object.fromEntries(ROLES.map((role) => [role, roleWords(role)])) as Record<Role, string>;

export const PASSWORD_RULE = `At least ${PASSWORD_MIN_LENGTH} characters. Common passwords, the user name and simple patterns are refused.`;

export function RoleField({ value, error }: { value: string; error: string | undefined }) {
  return (
    <RadioField
      name="role"
      label="Role"
      value={value}
      options={ROLES.map((role) => ({ value: role, label: `${role}: ${ROLE_WORDS[role]}` }))}
      error={error}
    />
  );
}

export function PasswordField({ error, keep }: { error: string | undefined; keep: boolean }) {
  return (
    <TextField
      name="password"
      label={keep ? 'New password' : 'Password'}
      type="password"
      value=""
      autocomplete="new-password"
      required={!keep}
      help={keep ? `${PASSWORD_RULE} Empty keeps the password.` : PASSWORD_RULE}
      error={error}
    />
  );
}
