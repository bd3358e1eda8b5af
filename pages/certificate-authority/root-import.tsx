// Importing a root certificate, or a subordinate authority, with its private key.
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CertificateFile, PemArea } from '../components/certificate-fields.tsx';
import { Form, FormActions, RadioField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = `${AUTHORITY_PAGE}/root/import`;
const LABELS = { pem: 'Certificate and key', pkcs12: 'File', passphrase: 'Passphrase', standing: 'Place' };

export const page = definePage({
  id: 'importRootCertificatePage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'write:ca' },
  load: async () => null,
  title: () => 'Import a root certificate',
  view({ state, outcome }) {
    const typed = withLost(typedInto('importRootCertificateForm', outcome));
    return (
      <>
        <PageHead
          title="Import a root certificate"
          trail={[AUTHORITY]}
          here="Import"
          intro="A root that the lab trusts already, or a subordinate authority, with its private key."
        />
        <Refused typed={typed} labels={LABELS} />
        <Form action={PATH} csrf={state.csrf} label="Import" files>
          <CertificateFile
            labels={LABELS}
            accept=".p12,.pfx,.pem"
            help="PKCS #12 or PEM. Of a subordinate authority it needs the certificates above it, too."
            errorOf={typed.of}
          />
          <PemArea
            name="pem"
            label="Or as PEM"
            rows={8}
            value=""
            error={typed.of('pem')}
            begins
            help="Certificate and private key, one below the other. The key is sealed and never shown again."
          />
          <RadioField
            name="standing"
            label={LABELS.standing}
            value={typed.text('standing', 'signing')}
            error={typed.of('standing')}
            options={[
              { value: 'signing', label: 'It signs from now on; no other root can sign' },
              { value: 'next', label: 'It follows the root that signs now' },
            ]}
          />
          <FormActions note="Takes effect immediately. Its revocation list begins anew here.">
            <Button kind="primary">Import</Button>
            <ButtonLink href={AUTHORITY_PAGE}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
