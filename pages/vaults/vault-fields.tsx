// The fields of a vault, of a new one and of a saved one.
import { FieldGroup, TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';

export const VAULT_LABELS = { name: 'Name', description: 'Description' };

export function VaultFields({ saved, typed }: { saved: { name: string; description: string }; typed: Typed }) {
  return (
    <FieldGroup legend="Vault">
      <TextField
        name="name"
        label={VAULT_LABELS.name}
        value={typed.text('name', saved.name)}
        help="Lower-case letters, digits and hyphens. Kickstart texts name the vault by it."
        placeholder="site-a"
        maxlength={63}
        mono
        required
        error={typed.of('name')}
      />
      <TextField
        name="description"
        label={VAULT_LABELS.description}
        value={typed.text('description', saved.description)}
        help="What it is for. Do not enter a secret: this text is shown."
        maxlength={500}
        error={typed.of('description')}
      />
    </FieldGroup>
  );
}
