// Issuing a certificate with a new key, for a machine that can't make a signing request.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PASSPHRASE_LEAST } from '../../shared/ground/x509/pkcs12-write.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { IssuedCertificate } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { KEYED_ALGORITHMS, KEYED_PROFILES } from '../../shared/platform/certificate-authority/root-schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, SelectField, TextArea, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALGORITHMS, PROFILE_WORDS } from './certificate-words.tsx';
import { KeyFile } from './key-file.tsx';
import { AUTHORITY, CERTIFICATES } from './trail.tsx';

const PATH = `${pagePath('certificates')}/with-key`;
const FORM = 'createCertificateWithKeyForm';
const LABELS = { names: 'Names and addresses', profile: 'Profile', key_algorithm: 'Key', passphrase: 'Passphrase' };

interface Given {
  certificate: IssuedCertificate;
  pkcs12: string;
}

export const page = definePage({
  id: 'certificateWithKeyPage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'write:ca' },
  load: async () => null,
  title: () => 'Issue a certificate with a key',
  view: WithKey,
});

const givenIn = (outcome: FormOutcome | null): Given | null =>
  outcome?.operation_id === FORM && !outcome.problem ? (outcome.result as Given | null) : null;

function WithKey({ state, outcome }: ViewProps<null>) {
  const given = givenIn(outcome);
  const typed = withLost(typedInto(FORM, outcome));
  return (
    <>
      <PageHead
        title="Issue a certificate with a key"
        trail={[AUTHORITY, CERTIFICATES]}
        intro="For a machine that can’t make a signing request. The key is made here, shown once, and not kept."
      />
      <Refused typed={typed} labels={LABELS} />
      {given ? (
        <>
          <KeyFile name={`${given.certificate.names[0]}.p12`} base64={given.pkcs12}>
            It has the private key, the certificate and its chain, under the passphrase that you typed. Nobody can give
            it again.
          </KeyFile>
          <div class="actions">
            <ButtonLink href={pagePath('certificate', given.certificate.id)}>To the certificate</ButtonLink>
          </div>
        </>
      ) : (
        <Form action={PATH} csrf={state.csrf} label="New certificate">
          <TextArea
            name="names"
            label={LABELS.names}
            mono
            rows={4}
            value={typed.text('names', '')}
            error={typed.of('names')}
            help="One a line. The certificate is for these and no others."
          />
          <SelectField
            name="profile"
            label={LABELS.profile}
            value={typed.text('profile', 'server')}
            options={KEYED_PROFILES.map((value) => ({ value, label: PROFILE_WORDS[value].word }))}
            error={typed.of('profile')}
          />
          <SelectField
            name="key_algorithm"
            label={LABELS.key_algorithm}
            value={typed.text('key_algorithm', 'rsa-3072')}
            options={KEYED_ALGORITHMS.map((value) => ({ value, label: ALGORITHMS[value] }))}
            error={typed.of('key_algorithm')}
          />
          <TextField
            name="passphrase"
            label={LABELS.passphrase}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('passphrase')}
            help={`At least ${PASSPHRASE_LEAST} characters. Whoever imports the file needs it; it is not kept.`}
          />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Issue the certificate</Button>
            <ButtonLink href={CERTIFICATES.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      )}
    </>
  );
}
