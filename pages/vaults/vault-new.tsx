// Adding a vault.
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { VAULT_LABELS, VaultFields } from './vault-fields.tsx';
import { VAULTS } from './vault-words.tsx';

const PATH = `${VAULTS.href}/new`;

export const page = definePage({
  id: 'newVaultPage',
  path: PATH,
  current: VAULTS.href,
  access: { session: 'write:vaults' },
  load: async () => null,
  title: () => 'Add a vault',
  view({ state, outcome }) {
    const typed = typedInto('createVaultForm', outcome);
    return (
      <>
        <PageHead title="Add a vault" trail={[VAULTS]} />
        <Refused typed={typed} labels={VAULT_LABELS} />
        <Form action={PATH} csrf={state.csrf} label="New vault">
          <VaultFields saved={{ name: '', description: '' }} typed={typed} />
          <FormActions note="Takes effect immediately; the host is not changed.">
            <Button kind="primary">Add vault</Button>
            <ButtonLink href={VAULTS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
