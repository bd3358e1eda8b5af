// Asks before the vaults get a new key, and says what that does.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { keyUse } from '../../shared/platform/vaults/overview.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KEY_PAGE, VAULTS } from './vault-words.tsx';

export const page = definePage({
  id: 'rotateVaultKeyPage',
  path: pagePath('rotate-vault-key'),
  current: VAULTS.href,
  access: { session: 'write:vaults' },
  async load({ db, services }): Promise<{ values: number }> {
    const { keys } = await keyUse(db, services.keyring);
    return { values: keys.reduce((sum, { entries, private_keys }) => sum + entries + private_keys, 0) };
  },
  title: () => 'Rotate the key',
  view: ({ data: { values }, state, outcome }) => (
    <>
      <PageHead
        title="Rotate the encryption key?"
        here="Rotate"
        trail={[VAULTS, { href: KEY_PAGE, label: 'Encryption key' }]}
      />
      <Refused typed={typedInto('rotateVaultKeyForm', outcome)} labels={{}} />
      <ol class="procedure">
        <li>A new key is made and written to the file. From then on every new value is sealed under it.</li>
        <li>
          The key of each of {values === 1 ? '1 value' : `${values} values`} is sealed under it, 200 at a time. No value
          is opened for it, and all of them can be used meanwhile.
        </li>
        <li>Keys that nothing uses any more are forgotten. What is interrupted goes on at the next start.</li>
      </ol>
      <p>
        Copies of the database from before can’t be opened with the keys file from after. Save both together once it is
        done.
      </p>
      <Form action={KEY_PAGE} csrf={state.csrf} label="Rotate the key">
        <FormActions note="Runs as a job. It can’t be undone.">
          <Button kind="primary">Rotate the key</Button>
          <ButtonLink href={KEY_PAGE}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  ),
});
