// Adding a key provider.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KMS, PROVIDER_LABELS } from './kms-words.tsx';
import { ProviderFields } from './provider-fields.tsx';

const PATH = `${pagePath('kms-providers')}/new`;

export const page = definePage({
  id: 'newKeyProviderPage',
  path: PATH,
  current: KMS.href,
  access: { session: 'write:kms' },
  load: async () => null,
  title: () => 'Add a key provider',
  view({ state, outcome }) {
    const typed = typedInto('createKeyProviderForm', outcome);
    return (
      <>
        <PageHead title="Add a key provider" trail={[KMS]} />
        <Refused typed={typed} labels={PROVIDER_LABELS} />
        <Form action={PATH} csrf={state.csrf} label="New provider">
          <ProviderFields saved={{ name: '', description: '', activates_on_create: true }} typed={typed} />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Add provider</Button>
            <ButtonLink href={KMS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
