// Renaming a vault, or describing it.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Vault, vaults } from '../../shared/platform/vaults/vault-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { editedFrom, type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { VAULT_LABELS, VaultFields } from './vault-fields.tsx';
import { VAULTS, vaultHref } from './vault-words.tsx';

interface Data {
  vault: Vault;
  last: LastSave | null;
}

export const page = definePage({
  id: 'editVaultPage',
  path: `${VAULTS.href}/{vault_id}/edit`,
  current: VAULTS.href,
  access: { session: 'write:vaults' },
  params: idParam('vault_id', 'Id of the vault.'),
  async load({ db, params, outcome }): Promise<Data> {
    const vault = await findItem(db, vaults, params.vault_id);
    return { vault, last: await lastSaveOf(db, outcome, { type: 'vault', id: vault.id }) };
  },
  title: ({ vault }) => `Edit ${vault.name}`,
  view({ data: { vault, last }, state, outcome }) {
    const { id, name, description, revision } = vault;
    const typed = typedInto('updateVaultForm', outcome);
    const saved = [
      [VAULT_LABELS.name, 'name', name],
      [VAULT_LABELS.description, 'description', description],
    ] as const;
    return (
      <>
        <PageHead
          title={
            <>
              Edit <span class="mono">{name}</span>
            </>
          }
          trail={[VAULTS, { href: vaultHref(id), label: <code>{name}</code> }]}
          here="Edit"
        />
        <Refused typed={typed} labels={VAULT_LABELS} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={saved} now={state.now} />
        <Form
          action={`${vaultHref(id)}/edit`}
          csrf={state.csrf}
          {...editedFrom(typed, revision, saved)}
          label={`Edit ${name}`}
        >
          <VaultFields saved={vault} typed={typed} />
          <FormActions note="Takes effect immediately. Entries and their values stay as they are.">
            <Button kind="primary">Save vault</Button>
            <ButtonLink href={vaultHref(id)}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
