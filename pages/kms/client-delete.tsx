// Asks before a client is removed.
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { clientParam } from '../../shared/services/kms/schemas.ts';
import { findClient } from '../../shared/services/kms/trust/clients.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KMS } from './kms-words.tsx';

export const page = definePage({
  id: 'deleteKmsClientPage',
  path: `${pageRoute('kms-client')}/delete`,
  current: KMS.href,
  access: { session: 'write:kms' },
  params: clientParam,
  load: ({ db, params, now }) => findClient(db, params.client_id, instant(now)),
  title: ({ name }) => `Remove ${name}`,
  view({ data: { id, name }, state, outcome }) {
    const href = pagePath('kms-client', id);
    return (
      <>
        <PageHead title={`Remove ${name}?`} trail={[KMS, { href, label: name }]} here="Remove" />
        <Refused typed={typedInto('deleteKmsClientForm', outcome)} labels={{}} />
        <p>
          Its certificate loses access and is remembered as removed: no restore of an archive brings it back. The keys
          stay; a machine that is encrypted with them starts again once another certificate of its vCenter is trusted
          for the same provider.
        </p>
        <Form action={`${href}/delete`} csrf={state.csrf} label={`Remove ${name}`}>
          <FormActions>
            <Button kind="bad">Remove client</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
