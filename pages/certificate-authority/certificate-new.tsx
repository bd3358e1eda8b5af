// Issuing a certificate for a signing request: it is read first, then what is in it can be edited and signed.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { ParsedRequest } from '../../shared/platform/certificate-authority/csr.ts';
import { listProfiles } from '../../shared/platform/certificate-authority/profile-store.ts';
import type { Profile } from '../../shared/platform/certificate-authority/profiles.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FileField, Form, FormActions, HiddenField, RadioField, TextArea, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { keyWord, PROFILE_WORDS } from './certificate-words.tsx';
import { AUTHORITY, CERTIFICATES } from './trail.tsx';

const PATH = `${pagePath('certificates')}/new`;

const LABELS = { csr: 'Signing request', profile: 'Profile', names: 'Names and addresses', validity_days: 'Valid for' };

type Read = Omit<ParsedRequest, 'pem'> & { csr: string };

export const page = definePage({
  id: 'newCertificatePage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'write:ca' },
  load: ({ db }) => listProfiles(db),
  title: () => 'Issue a certificate',
  view: NewCertificate,
});

function readIn(outcome: FormOutcome | null): Read | null {
  if (outcome?.operation_id !== 'previewCertificateRequestForm' || outcome.problem) return null;
  return outcome.result as Read | null;
}

function NewCertificate({ data: profiles, state, outcome }: ViewProps<Profile[]>) {
  const read = readIn(outcome);
  const signing = outcome?.operation_id === 'signCertificateForm';
  const typed = typedInto(outcome?.operation_id ?? '', outcome);
  return (
    <>
      <PageHead
        title="Issue a certificate"
        trail={[AUTHORITY, CERTIFICATES]}
        intro="The signing request comes from the machine that has the key. It is shown before anything is signed."
      />
      <Refused typed={typed} labels={LABELS} />
      {read !== null && <RequestFacts request={read} />}
      {read !== null || signing ? (
        <SignForm read={read} profiles={profiles} typed={typed} csrf={state.csrf} />
      ) : (
        <Form action={PATH} csrf={state.csrf} label="Signing request" files>
          <CsrFields value={typed.text('csr', '')} error={typed.of('csr')} />
          <FormActions note="Nothing is signed yet.">
            <Button kind="primary">Read the request</Button>
            <ButtonLink href={CERTIFICATES.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      )}
    </>
  );
}

export function CsrFields({ value, error }: { value: string; error: string | undefined }) {
  return (
    <>
      <TextArea
        name="csr"
        label="Signing request"
        mono
        rows={12}
        value={value}
        error={error}
        placeholder="-----BEGIN CERTIFICATE REQUEST-----"
        help="As PEM, without the private key."
      />
      <FileField
        name="csr_file"
        label="Or a file"
        accept=".csr,.pem,.req,.der,.p10"
        help="PEM or DER. It counts instead of the text."
      />
    </>
  );
}

export function RequestFacts({
  request,
}: {
  request: Pick<Read, 'subject' | 'names' | 'key_algorithm'> & Partial<Read>;
}) {
  const { subject, names, key_algorithm, key_sha256, signature_algorithm, ignored } = request;
  return (
    <FactsList
      facts={[
        { label: 'Subject', value: subject || <span class="muted">none</span> },
        { label: 'Asks for', value: <Codes items={names} none="no name" /> },
        { label: 'Key', value: keyWord(key_algorithm) },
        ...(key_sha256 === undefined
          ? []
          : [{ label: 'SHA-256 of the key', value: <code class="wrap">{key_sha256}</code> }]),
        ...(signature_algorithm === undefined
          ? []
          : [{ label: 'Signature', value: `${signature_algorithm}, verified` }]),
        ...(ignored === undefined || ignored.length === 0 ? [] : [{ label: 'Not taken', value: ignored.join(', ') }]),
      ]}
    />
  );
}

interface SignProps {
  read: Read | null;
  profiles: readonly Profile[];
  typed: ReturnType<typeof typedInto>;
  csrf: string;
}

function SignForm({ read, profiles, typed, csrf }: SignProps) {
  return (
    <Form action={pagePath('certificates')} csrf={csrf} label="Issue">
      <HiddenField name="csr" value={read?.csr ?? typed.text('csr', '')} />
      <RadioField
        name="profile"
        label="Profile"
        value={typed.text('profile', 'server')}
        error={typed.of('profile')}
        options={profiles.map(({ name }) => ({
          value: name,
          label: `${PROFILE_WORDS[name].word}: ${PROFILE_WORDS[name].help}`,
        }))}
      />
      <TextArea
        name="names"
        label="Names and addresses"
        mono
        rows={4}
        value={read?.names.join('\n') ?? typed.text('names', '')}
        error={typed.of('names')}
        help="One a line. The certificate is for these and no others; a subordinate authority has none."
      />
      <TextField
        name="validity_days"
        label="Valid for"
        inputmode="numeric"
        value={typed.text('validity_days', '')}
        error={typed.of('validity_days')}
        help="Days. Empty: as the profile or the settings say."
      />
      <FormActions note="Takes effect immediately.">
        <Button kind="primary">Issue the certificate</Button>
        <ButtonLink href={PATH}>Another request</ButtonLink>
      </FormActions>
    </Form>
  );
}
