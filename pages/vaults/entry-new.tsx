// Adding an entry to a vault.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ENTRY_LABELS, EntryFields, typedEntry } from './entry-fields.tsx';
import { VAULTS, vaultHref } from './vault-words.tsx';

const BLANK = { key: '', username: '', description: '', uris: [], has_value: false };

export const page = definePage({
  id: 'newVaultEntryPage',
  path: `${VAULTS.href}/{vault_id}/entries/new`,
  current: VAULTS.href,
  access: { session: 'write:vaults' },
  params: idParam('vault_id', 'Id of the vault.'),
  load: ({ db, params }) => findItem(db, vaults, params.vault_id),
  title: () => 'Add an entry',
  view({ data: { id, name }, state, outcome }) {
    const typed = typedEntry('createVaultEntryForm', outcome);
    return (
      <>
        <PageHead title="Add an entry" trail={[VAULTS, { href: vaultHref(id), label: <code>{name}</code> }]} />
        <Refused typed={typed} labels={ENTRY_LABELS} />
        <Form action={`${vaultHref(id)}/entries/new`} csrf={state.csrf} label="New entry">
          <EntryFields vault={name} saved={BLANK} typed={typed} />
          <FormActions note="Takes effect immediately. The value is encrypted before it is stored.">
            <Button kind="primary">Add entry</Button>
            <ButtonLink href={vaultHref(id)}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
