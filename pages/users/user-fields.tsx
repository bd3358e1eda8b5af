// Fields that creating and changing a user share, and the words of roles.
import { PASSWORD_MIN_LENGTH } from '../../shared/access/password.ts';
import { ROLES, type Role } from '../../shared/access/scopes.ts';
import { RadioField, TextField } from '../components/form.tsx';

export const ROLE_WORDS: Record<Role, string> = {
  admin: 'everything',
  'service-admin': 'the services, without interfaces, users and vaults',
  'network-admin': 'interfaces, VLANs and the firewall',
  viewer: 'looks at everything but users and vaults',
};

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
  const rule = `At least ${PASSWORD_MIN_LENGTH} characters, without the user name.`;
  return (
    <TextField
      name="password"
      label={keep ? 'New password' : 'Password'}
      type="password"
      value=""
      autocomplete="new-password"
      required={!keep}
      help={keep ? `${rule} Empty keeps the password.` : rule}
      error={error}
    />
  );
}
