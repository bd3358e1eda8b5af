// Issuing a certificate for a client that has a signing request.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, TextArea } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CHOICE_QUERY, CLIENT_LABELS, ClientFields, choicesOf } from './client-fields.tsx';
import { KMS } from './kms-words.tsx';

const PATH = `${pagePath('kms-clients')}/sign`;

export const page = definePage({
  id: 'signKmsClientPage',
  path: PATH,
  current: KMS.href,
  access: { session: 'write:kms' },
  query: CHOICE_QUERY,
  load: ({ db, query }) => choicesOf(db, query.provider_id),
  title: () => 'Sign a client’s request',
  view({ data, state, outcome }) {
    const typed = typedInto('signKmsClientForm', outcome);
    return (
      <>
        <PageHead
          title="Sign a client’s request"
          trail={[KMS]}
          intro="vCenter makes a signing request: its key never leaves it."
        />
        <Refused typed={typed} labels={{ ...CLIENT_LABELS, ...OWN_PASSWORD_LABEL }} />
        <Form action={PATH} csrf={state.csrf} label="Sign a client’s request">
          <ClientFields of={data} typed={typed} />
          <TextArea
            name="csr"
            label={CLIENT_LABELS.csr}
            mono
            rows={12}
            value={typed.text('csr', '')}
            help="PEM, from -----BEGIN CERTIFICATE REQUEST----- on."
            error={typed.of('csr')}
          />
          <TextArea
            name="names"
            label={CLIENT_LABELS.names}
            mono
            rows={3}
            value={typed.text('names', '')}
            help="One a line. Leave it empty to take those of the request."
            error={typed.of('names')}
          />
          <OwnPasswordField error={typed.of('own_password')} />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Sign and trust it</Button>
            <ButtonLink href={KMS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
