// Exporting the root certificate with its private key, after the own password.
import { PASSPHRASE_LEAST } from '../../shared/ground/x509/pkcs12-write.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import {
  AUTHORITY_PAGE,
  type RootCertificate,
  rootCertificate,
} from '../../shared/platform/certificate-authority/authority.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KeyFile } from './key-file.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = `${AUTHORITY_PAGE}/root/export`;
const FORM = 'exportRootCertificateForm';
const LABELS = { passphrase: 'Passphrase', again: 'Passphrase again', own_password: 'Your password' };

export const page = definePage({
  id: 'exportRootCertificatePage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'write:ca' },
  load: ({ db }) => rootCertificate(db),
  title: () => 'Export the root certificate',
  view: Export,
});

const fileIn = (outcome: FormOutcome | null): string | null =>
  outcome?.operation_id === FORM && !outcome.problem ? ((outcome.result as { pkcs12?: string }).pkcs12 ?? null) : null;

function Export({ data: root, state, outcome }: ViewProps<RootCertificate | null>) {
  const file = fileIn(outcome);
  const typed = withLost(typedInto(FORM, outcome));
  return (
    <>
      <PageHead
        title="Export the root certificate"
        trail={[AUTHORITY]}
        here="Export"
        intro="With its private key, as PKCS #12. Whoever has the file and its passphrase can issue what everybody here trusts."
      />
      <Refused typed={typed} labels={LABELS} />
      {root === null && (
        <Empty action={<ButtonLink href={AUTHORITY_PAGE}>Make it</ButtonLink>}>There is none yet.</Empty>
      )}
      {root !== null && <FactsList facts={[{ label: 'Subject', value: root.subject }]} />}
      {file !== null && (
        <KeyFile name="groundcrew-root-ca.p12" base64={file}>
          Keep it where nothing else is. That you exported it is recorded.
        </KeyFile>
      )}
      {root !== null && file === null && (
        <Form action={PATH} csrf={state.csrf} label="Export">
          <TextField
            name="passphrase"
            label={LABELS.passphrase}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('passphrase')}
            help={`At least ${PASSPHRASE_LEAST} characters. It is not kept: without it the file is of no use.`}
          />
          <TextField
            name="again"
            label={LABELS.again}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('again')}
          />
          <TextField
            name="own_password"
            label={LABELS.own_password}
            type="password"
            value=""
            autocomplete="current-password"
            error={typed.of('own_password')}
            help="Your own, for this appliance."
          />
          <FormActions note="Recorded in the audit log.">
            <Button kind="primary">Export</Button>
            <ButtonLink href={AUTHORITY_PAGE}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      )}
    </>
  );
}
