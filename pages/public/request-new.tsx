// Asking for a certificate: the signing request is read first, then what is in it is sent with a profile.
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { ParsedRequest } from '../../shared/platform/certificate-authority/csr.ts';
import { CsrFields, RequestFacts } from '../certificate-authority/certificate-new.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, HiddenField, RadioField, TextField } from '../components/form.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { Refused, type Typed, typedInto } from '../layout/form-state.tsx';
import { NEW_REQUEST, ownProfileOptions, REQUESTS, SignedIn } from './parts.tsx';

const LABELS = { csr: 'Signing request', profile: 'Profile', names: 'Names and addresses', note: 'Note' };

type Read = Omit<ParsedRequest, 'pem'> & { csr: string };

export const page = definePlainPage({
  id: 'publicNewCertificateRequestPage',
  path: NEW_REQUEST,
  plane: 'public',
  access: { session: 'write:ca-requests' },
  async load({ db, actor }) {
    await requireOffered(db, 'certificate_requests');
    return { name: actor.name };
  },
  title: () => 'Ask for a certificate',
  view({ data: { name }, state, outcome }) {
    const typed = typedInto(outcome?.operation_id ?? '', outcome);
    const read = readIn(outcome);
    const csr = read?.csr ?? (outcome?.operation_id === SENDING ? typed.text('csr', '') : '');
    return (
      <>
        <h1>Ask for a certificate</h1>
        <SignedIn name={name} csrf={state.csrf} />
        <Refused typed={typed} labels={LABELS} />
        {read !== null && <RequestFacts request={read} />}
        {csr === '' ? (
          <Form action={NEW_REQUEST} csrf={state.csrf ?? ''} label="Signing request" look="stack" files>
            <CsrFields value={typed.text('csr', '')} error={typed.of('csr')} />
            <FormActions note="It is shown before anything is sent.">
              <Button kind="primary">Read the request</Button>
              <ButtonLink href={REQUESTS}>Cancel</ButtonLink>
            </FormActions>
          </Form>
        ) : (
          <SendForm csr={csr} typed={typed} csrf={state.csrf ?? ''} />
        )}
      </>
    );
  },
});

const SENDING = 'publicCreateCertificateRequestForm';

function readIn(outcome: FormOutcome | null): Read | null {
  if (outcome?.operation_id !== 'publicPreviewCertificateRequestForm' || outcome.problem) return null;
  return outcome.result as Read | null;
}

function SendForm({ csr, typed, csrf }: { csr: string; typed: Typed; csrf: string }) {
  return (
    <Form action={REQUESTS} csrf={csrf} label="Request" look="stack">
      <HiddenField name="csr" value={csr} />
      <RadioField
        name="profile"
        label="Profile"
        value={typed.text('profile', 'server')}
        error={typed.of('profile')}
        options={ownProfileOptions()}
      />
      <TextField
        name="note"
        label="Note"
        maxlength={200}
        value={typed.text('note', '')}
        error={typed.of('note')}
        help="For the approver."
      />
      <FormActions note="Nothing is issued until somebody approves.">
        <Button kind="primary">Send the request</Button>
        <ButtonLink href={NEW_REQUEST}>Another request</ButtonLink>
      </FormActions>
    </Form>
  );
}
