// Asks before a key provider is deleted.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Provider, providers } from '../../shared/services/kms/trust/providers.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KMS } from './kms-words.tsx';

interface Data {
  provider: Provider;
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteKeyProviderPage',
  path: `${pageRoute('kms-provider')}/delete`,
  current: KMS.href,
  access: { session: 'write:kms' },
  params: idParam('provider_id', 'Id of the provider.'),
  async load({ db, params, outcome }): Promise<Data> {
    const provider = await findItem(db, providers, params.provider_id);
    return { provider, last: await lastSaveOf(db, outcome, { type: 'kms_provider', id: provider.id }) };
  },
  title: ({ provider }) => `Delete ${provider.name}`,
  view({ data: { provider, last }, state, outcome }) {
    const { id, name, revision, key_count } = provider;
    const typed = typedInto('deleteKeyProviderForm', outcome);
    const href = pagePath('kms-provider', id);
    return (
      <>
        <PageHead title={`Delete ${name}?`} trail={[KMS, { href, label: name }]} here="Delete" />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <p>
          {key_count > 0
            ? `It has ${key_count === 1 ? 'a key' : `${key_count} keys`}: data that is encrypted with them would be lost, so it can’t be deleted.`
            : 'Its clients lose access.'}
        </p>
        <Form action={`${href}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          <FormActions>
            <Button kind="bad" unavailable={key_count > 0 ? 'It has keys' : undefined}>
              Delete provider
            </Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
