// Making a certificate and key for a client; both are given once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { Client } from '../../shared/services/kms/trust/clients.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, TextArea } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CHOICE_QUERY, type Choices, CLIENT_LABELS, ClientFields, choicesOf } from './client-fields.tsx';
import { KMS } from './kms-words.tsx';
import { PemFile } from './pem-file.tsx';

const PATH = `${pagePath('kms-clients')}/with-key`;
const FORM = 'makeKmsClientForm';
const TITLE = 'Make a certificate and key';

interface Given {
  client: Client;
  private_key: string;
}

const givenIn = (outcome: FormOutcome | null): Given | null =>
  outcome?.operation_id === FORM && !outcome.problem ? (outcome.result as Given | null) : null;

export const page = definePage({
  id: 'makeKmsClientPage',
  path: PATH,
  current: KMS.href,
  access: { session: 'write:kms' },
  query: CHOICE_QUERY,
  load: ({ db, query }) => choicesOf(db, query.provider_id),
  title: () => TITLE,
  view: MakeClient,
});

function MakeClient({ data, state, outcome }: ViewProps<Choices>) {
  const given = givenIn(outcome);
  if (given) return <Once given={given} />;
  const typed = typedInto(FORM, outcome);
  return (
    <>
      <PageHead
        title={TITLE}
        trail={[KMS]}
        intro="For “KMS certificate and private key” in vCenter. The key is shown once and not kept; a signing request is better."
      />
      <Refused typed={typed} labels={{ ...CLIENT_LABELS, ...OWN_PASSWORD_LABEL }} />
      <Form action={PATH} csrf={state.csrf} label={TITLE}>
        <ClientFields of={data} typed={typed} />
        <TextArea
          name="names"
          label={CLIENT_LABELS.names}
          mono
          rows={3}
          value={typed.text('names', '')}
          help="One a line: the host name of vCenter."
          error={typed.of('names')}
        />
        <OwnPasswordField error={typed.of('own_password')} />
        <FormActions note="Takes effect immediately.">
          <Button kind="primary">Make and trust it</Button>
          <ButtonLink href={KMS.href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function Once({ given: { client, private_key } }: { given: Given }) {
  return (
    <>
      <PageHead title={TITLE} trail={[KMS]} />
      <section class="secret" aria-labelledby="secret-title">
        <h2 id="secret-title">Certificate and key of {client.name}</h2>
        <p>
          <b>Save both now.</b> The key is nowhere else: nobody can give it again.
        </p>
        <div class="actions">
          <PemFile name="client-key.pem" pem={private_key} label="Save the private key" />
          <PemFile name="client.pem" pem={client.certificate} label="Save the certificate" />
        </div>
      </section>
      <div class="actions">
        <ButtonLink href={pagePath('kms-provider', client.provider_id)}>To the provider</ButtonLink>
      </div>
    </>
  );
}
