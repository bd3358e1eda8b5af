// What the three ways of letting a client in have in common.
import * as v from 'valibot';
import type { Database } from '../../shared/ground/store/database.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';
import { SelectField, TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';

export const CLIENT_LABELS = {
  provider_id: 'Provider',
  name: 'Client',
  certificate: 'Certificate',
  csr: 'Signing request',
  names: 'Names and addresses',
};

/** Providers that can be chosen. */
const MOST = 200;

export interface Choices {
  options: { value: string; label: string }[];
  chosen: string;
}

export const CHOICE_QUERY = v.object({ provider_id: v.optional(v.pipe(v.string(), v.maxLength(64)), '') });

export async function choicesOf(db: Database, chosen: string): Promise<Choices> {
  const { items } = await listItems(db, providers, { limit: MOST });
  return { options: items.map(({ id, name }) => ({ value: id, label: name })), chosen };
}

export function ClientFields({ of: { options, chosen }, typed }: { of: Choices; typed: Typed }) {
  return (
    <>
      <SelectField
        name="provider_id"
        label={CLIENT_LABELS.provider_id}
        value={typed.text('provider_id', chosen)}
        options={options}
        error={typed.of('provider_id')}
      />
      <TextField
        name="name"
        label={CLIENT_LABELS.name}
        value={typed.text('name', '')}
        placeholder="vc01.lab.example"
        help="Which machine it is: for people and for the audit log."
        maxlength={100}
        required
        error={typed.of('name')}
      />
    </>
  );
}
