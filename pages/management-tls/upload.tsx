// Uploading a certificate with its key for the management UI.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { CertificateFile, PemArea } from '../components/certificate-fields.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { ON_APPLY, Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { MANAGEMENT_TLS } from './words.ts';

const PATH = pagePath('management-tls-upload');
const LABELS = {
  pkcs12: 'File',
  passphrase: 'Passphrase',
  certificate: 'Or the certificate as PEM',
  private_key: 'Private key as PEM',
};

const KEY = 'PRIVATE KEY-----';
/** A key that was pasted with the certificate is not shown again. */
const withoutKeys = (pem: string): string =>
  pem
    .split('-----BEGIN ')
    .filter((part) => !part.split('\n', 1)[0]!.includes(KEY))
    .join('-----BEGIN ');

export const page = definePage({
  id: 'uploadManagementCertificatePage',
  path: PATH,
  current: MANAGEMENT_TLS.href,
  access: { session: 'write:management-tls' },
  load: async () => null,
  title: () => 'Upload a certificate',
  view({ state, outcome }) {
    const typed = withLost(typedInto('uploadManagementCertificateForm', outcome));
    return (
      <>
        <PageHead
          title="Upload a certificate"
          trail={[MANAGEMENT_TLS]}
          here="Upload"
          intro="A certificate for the management UI, with its private key and the certificates above it."
        />
        <Refused typed={typed} labels={{ ...LABELS, ...OWN_PASSWORD_LABEL }} />
        <Form action={PATH} csrf={state.csrf} label="Upload a certificate" files>
          <CertificateFile
            labels={LABELS}
            accept=".p12,.pfx,.pem,.crt,.cer"
            help="PKCS #12, or PEM with certificate and key."
            errorOf={typed.of}
          />
          <PemArea
            name="certificate"
            label={LABELS.certificate}
            rows={8}
            value={withoutKeys(typed.text('certificate', ''))}
            error={typed.of('certificate')}
            begins
            help="The certificate first, then those above it. A root can be left out."
          />
          <PemArea
            name="private_key"
            label={LABELS.private_key}
            rows={6}
            value=""
            error={typed.of('private_key')}
            help="The key is sealed and never shown again."
          />
          <OwnPasswordField error={typed.of('own_password')} />
          <FormActions note={ON_APPLY}>
            <Button kind="primary">Upload</Button>
            <ButtonLink href={MANAGEMENT_TLS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
