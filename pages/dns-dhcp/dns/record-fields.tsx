// The fields that a new and a saved record have in common.
import { CheckField, TextField } from '../../components/form.tsx';
import type { Typed } from './form-state.tsx';

export const RECORD_LABELS = {
  fqdn: 'Name',
  type: 'Type',
  value: 'Value',
  description: 'Description',
  enabled: 'Enabled',
} as const;

export function ValueField({ value, error }: { value: string; error: string | undefined }) {
  return (
    <TextField
      name="value"
      label={RECORD_LABELS.value}
      value={value}
      error={error}
      mono
      wide
      required
      maxlength={4096}
    />
  );
}

export function RecordFields({ saved, typed }: { saved: { description: string; enabled: boolean }; typed: Typed }) {
  return (
    <>
      <TextField
        name="description"
        label={RECORD_LABELS.description}
        value={typed.text('description', saved.description)}
        error={typed.of('description')}
        maxlength={500}
      />
      <CheckField
        name="enabled"
        group={RECORD_LABELS.enabled}
        label="Answer with this record"
        checked={typed.checked('enabled', saved.enabled)}
        error={typed.of('enabled')}
      />
    </>
  );
}
