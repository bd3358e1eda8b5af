// Adding an authenticator in the middle of a sign-in, for who must have a second factor and has none.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { findStep, stepCookie } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { type VisitorForm, visitorForm } from '../../shared/kernel/access/visitor-form.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { HiddenField, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { AuthenticatorSecret, type Begun, RecoveryCodes } from './authenticator.tsx';
import { errorsOf } from './form-errors.ts';

const PATH = `${pagePath('sign-in')}/enrol`;

interface Enrolling {
  hostname: string;
  /** Null once the sign-in is over. */
  name: string | null;
  form: VisitorForm;
}

interface Enrolled {
  recovery_codes: string[] | null;
  next: string;
}

const enrolledIn = (outcome: FormOutcome | null): Enrolled | null =>
  outcome?.operation_id === 'enrolConfirmForm' && outcome.result ? (outcome.result as Enrolled) : null;

export const page = definePlainPage({
  id: 'enrolPage',
  path: PATH,
  plane: 'management',
  async load({ services, db, request, outcome }): Promise<Enrolling> {
    const { keys, entropy, settings } = services;
    const id = stepCookie(request.cookies, request.secure);
    const name = enrolledIn(outcome) ? null : (await findStep(db, services, id, request)).name;
    return { hostname: settings.hostname, name, form: visitorForm(keys, entropy, request.cookies, request.secure) };
  },
  cookies: ({ form }) => form.cookies,
  title: ({ hostname }) => `Add a second factor for ${hostname}`,
  view: ({ data, outcome }) => <Enrol data={data} outcome={outcome} />,
});

function Enrol({ data, outcome }: { data: Enrolling; outcome: FormOutcome | null }) {
  const done = enrolledIn(outcome);
  if (done) return <Done enrolled={done} />;
  const begun = outcome?.operation_id === 'enrolForm' ? (outcome.result as Begun | null) : null;
  const factor_id = begun?.factor_id ?? outcome?.values.get('factor_id') ?? null;
  const problem = outcome?.problem ?? null;
  const { errors } = errorsOf(outcome);
  return (
    <>
      <h1>Add a second factor</h1>
      <p>
        The role of <code>{data.name}</code> must have a second factor. Add an authenticator app to go on; passkeys can
        be added afterwards, on your account's page.
      </p>
      {problem && errors.length === 0 && <Refusal problem={problem} title="Nothing was added" />}
      {begun && <AuthenticatorSecret begun={begun} />}
      {factor_id === null ? (
        <Begin data={data} outcome={outcome} />
      ) : (
        <Confirm data={data} outcome={outcome} factor_id={factor_id} shown={begun !== null} />
      )}
    </>
  );
}

function Begin({ data, outcome }: { data: Enrolling; outcome: FormOutcome | null }) {
  const { of } = errorsOf(outcome);
  return (
    <form class="form stack" method="post" action={PATH} aria-label="Begin">
      <HiddenField name="csrf" value={data.form.token} />
      <TextField
        name="name"
        label="Name"
        value={outcome?.values.get('name') ?? 'Authenticator app'}
        help="What you call it: the phone that it is on."
        maxlength={80}
        required
        error={of('name')}
      />
      <Button kind="primary">Show the secret</Button>
    </form>
  );
}

interface ConfirmProps {
  data: Enrolling;
  outcome: FormOutcome | null;
  factor_id: string;
  /** Whether the secret is on this page. */
  shown: boolean;
}

function Confirm({ data, outcome, factor_id, shown }: ConfirmProps) {
  const { of } = errorsOf(outcome);
  return (
    <>
      {!shown && (
        <Note icon="info">
          The secret is not shown again. If the app does not have it, <a href={PATH}>begin again</a> with a new one.
        </Note>
      )}
      <form class="form stack" method="post" action={`${PATH}/confirm`} aria-label="Confirm">
        <HiddenField name="csrf" value={data.form.token} />
        <HiddenField name="factor_id" value={factor_id} />
        <TextField
          name="code"
          label="Code"
          value=""
          autocomplete="one-time-code"
          help="The six digits that the app shows now."
          inputmode="numeric"
          mono
          required
          error={of('code')}
        />
        <Button kind="primary">Confirm and sign in</Button>
      </form>
    </>
  );
}

function Done({ enrolled: { recovery_codes, next } }: { enrolled: Enrolled }) {
  return (
    <>
      <h1>You are signed in</h1>
      <p>From now on you sign in with your password and a code of the app.</p>
      {recovery_codes && <RecoveryCodes codes={recovery_codes} />}
      <ButtonLink href={next} kind="primary">
        I have the codes: go on
      </ButtonLink>
    </>
  );
}
