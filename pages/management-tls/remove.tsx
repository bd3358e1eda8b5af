// Asks before the uploaded certificate is removed with its key.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { uploadedView } from '../../shared/services/management-tls/state.ts';
import { uploadedRow } from '../../shared/services/management-tls/uploaded.ts';
import { certificateWords } from '../../shared/services/management-tls/words.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { MANAGEMENT_TLS } from './words.ts';

const PATH = pagePath('management-tls-remove');

export const page = definePage({
  id: 'deleteManagementCertificatePage',
  path: PATH,
  current: MANAGEMENT_TLS.href,
  access: { session: 'write:management-tls' },
  load: async ({ db }) => uploadedView(await uploadedRow(db)),
  title: () => 'Remove the uploaded certificate',
  view: ({ data, state, outcome }) => (
    <>
      <PageHead title="Remove the uploaded certificate?" trail={[MANAGEMENT_TLS]} here="Remove" />
      <Refused typed={typedInto('deleteManagementCertificateForm', outcome)} labels={{}} />
      {data ? (
        <>
          <p>{certificateWords(data)}.</p>
          <p>
            The certificate and its private key are gone from then on, but for archives that have them. An earlier plan
            that is restored does not bring it back. While it is the source, or in force, it can’t be removed.
          </p>
          <Form action={PATH} csrf={state.csrf} label="Remove the uploaded certificate">
            <FormActions>
              <Button kind="bad">Remove</Button>
              <ButtonLink href={MANAGEMENT_TLS.href}>Keep it</ButtonLink>
            </FormActions>
          </Form>
        </>
      ) : (
        <p class="muted">No certificate was uploaded.</p>
      )}
    </>
  ),
});
