// The fields that a new and a saved zone have in common.
import { CheckField, TextField } from '../../components/form.tsx';
import type { Typed } from './form-state.tsx';

export const ZONE_LABELS = { name: 'Name', description: 'Description', enabled: 'Enabled' } as const;

export function ZoneFields({ saved, typed }: { saved: { description: string; enabled: boolean }; typed: Typed }) {
  return (
    <>
      <TextField
        name="description"
        label={ZONE_LABELS.description}
        value={typed.text('description', saved.description)}
        error={typed.of('description')}
        maxlength={500}
      />
      <CheckField
        name="enabled"
        group={ZONE_LABELS.enabled}
        label="Answer for this zone"
        help="While it is disabled, its records are kept and its names go to the upstream servers."
        checked={typed.checked('enabled', saved.enabled)}
        error={typed.of('enabled')}
      />
    </>
  );
}
