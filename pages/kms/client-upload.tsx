// Trusting a certificate that a client made itself.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { PemArea } from '../components/certificate-fields.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CHOICE_QUERY, CLIENT_LABELS, ClientFields, choicesOf } from './client-fields.tsx';
import { KMS } from './kms-words.tsx';

const PATH = `${pagePath('kms-clients')}/upload`;

export const page = definePage({
  id: 'uploadKmsClientPage',
  path: PATH,
  current: KMS.href,
  access: { session: 'write:kms' },
  query: CHOICE_QUERY,
  load: ({ db, query }) => choicesOf(db, query.provider_id),
  title: () => 'Upload a client certificate',
  view({ data, state, outcome }) {
    const typed = typedInto('uploadKmsClientForm', outcome);
    return (
      <>
        <PageHead
          title="Upload a client certificate"
          trail={[KMS]}
          intro="vCenter shows its own certificate: download it there, and paste it here."
        />
        <Refused typed={typed} labels={{ ...CLIENT_LABELS, ...OWN_PASSWORD_LABEL }} />
        <Form action={PATH} csrf={state.csrf} label="Upload a client certificate">
          <ClientFields of={data} typed={typed} />
          <PemArea
            name="certificate"
            label={CLIENT_LABELS.certificate}
            rows={12}
            value={typed.text('certificate', '')}
            help="PEM, from -----BEGIN CERTIFICATE----- on. Never a private key."
            error={typed.of('certificate')}
          />
          <OwnPasswordField error={typed.of('own_password')} />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Trust it</Button>
            <ButtonLink href={KMS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
