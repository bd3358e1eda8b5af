// The fields of a provider, of a new one and of a saved one.
import { CheckField, FieldGroup, TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';
import { PROVIDER_LABELS } from './kms-words.tsx';

interface Saved {
  name: string;
  description: string;
  activates_on_create: boolean;
}

export function ProviderFields({ saved, typed }: { saved: Saved; typed: Typed }) {
  return (
    <FieldGroup legend="Provider">
      <TextField
        name="name"
        label={PROVIDER_LABELS.name}
        value={typed.text('name', saved.name)}
        help="Lower-case letters, digits and hyphens."
        placeholder="management-domain"
        maxlength={63}
        mono
        required
        error={typed.of('name')}
      />
      <TextField
        name="description"
        label={PROVIDER_LABELS.description}
        value={typed.text('description', saved.description)}
        help="Which vCenters it is for."
        maxlength={500}
        error={typed.of('description')}
      />
      <CheckField
        name="activates_on_create"
        group={PROVIDER_LABELS.activates_on_create}
        label="Keys are active as soon as they are created"
        checked={typed.checked('activates_on_create', saved.activates_on_create)}
        error={typed.of('activates_on_create')}
      />
    </FieldGroup>
  );
}
