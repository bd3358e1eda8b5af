// Changing a key provider.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Provider, providers } from '../../shared/services/kms/trust/providers.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { editedFrom, type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KMS, PROVIDER_LABELS } from './kms-words.tsx';
import { ProviderFields } from './provider-fields.tsx';

interface Data {
  provider: Provider;
  last: LastSave | null;
}

export const page = definePage({
  id: 'editKeyProviderPage',
  path: `${pageRoute('kms-provider')}/edit`,
  current: KMS.href,
  access: { session: 'write:kms' },
  params: idParam('provider_id', 'Id of the provider.'),
  async load({ db, params, outcome }): Promise<Data> {
    const provider = await findItem(db, providers, params.provider_id);
    return { provider, last: await lastSaveOf(db, outcome, { type: 'kms_provider', id: provider.id }) };
  },
  title: ({ provider }) => `Edit ${provider.name}`,
  view({ data: { provider, last }, state, outcome }) {
    const { id, name, description, activates_on_create, revision } = provider;
    const typed = typedInto('updateKeyProviderForm', outcome);
    const saved = [
      [PROVIDER_LABELS.name, 'name', name],
      [PROVIDER_LABELS.description, 'description', description],
      [PROVIDER_LABELS.activates_on_create, 'activates_on_create', activates_on_create],
    ] as const;
    const href = pagePath('kms-provider', id);
    return (
      <>
        <PageHead title={`Edit ${name}`} trail={[KMS, { href, label: name }]} here="Edit" />
        <Refused typed={typed} labels={PROVIDER_LABELS} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={saved} now={state.now} />
        <Form action={`${href}/edit`} csrf={state.csrf} {...editedFrom(typed, revision, saved)} label={`Edit ${name}`}>
          <ProviderFields saved={provider} typed={typed} />
          <FormActions note="Takes effect immediately. Keys that are there keep their state.">
            <Button kind="primary">Save provider</Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
