// Adding an authenticator app: its name and the own password, then its secret, once, and its first code.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { AuthenticatorSecret, type Begun } from '../access/authenticator.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, HiddenField, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { Added, type AddedFactor, BeginFactor, FACTORS_TRAIL, resultOf } from './adding.tsx';

const PATH = `${pagePath('second-factors')}/totp`;

export const page = definePage({
  id: 'addAuthenticatorPage',
  path: PATH,
  current: ACCOUNT_PATH,
  access: { session: 'any' },
  load: async () => ({}),
  title: () => 'Add an authenticator app',
  view: AddAuthenticator,
});

type Props = Pick<ViewProps<unknown>, 'state' | 'outcome'>;

function AddAuthenticator({ state, outcome }: Props) {
  return (
    <>
      <PageHead title="Add an authenticator app" trail={FACTORS_TRAIL} />
      <Step state={state} outcome={outcome} />
    </>
  );
}

function Step({ state, outcome }: Props) {
  const added = resultOf<AddedFactor>(outcome, 'confirmOwnTotpForm');
  if (added) return <Added added={added} />;
  const begun = resultOf<Begun>(outcome, 'beginOwnTotpForm');
  // The field says which one waits, when its code was wrong.
  const waits = begun?.factor_id ?? typedInto('confirmOwnTotpForm', outcome).outcome?.values.get('factor_id');
  if (waits) {
    return (
      <>
        {begun && <AuthenticatorSecret begun={begun} />}
        <FirstCode factor_id={waits} state={state} outcome={outcome} shown={begun !== null} />
      </>
    );
  }
  return (
    <BeginFactor
      form="beginOwnTotpForm"
      action={PATH}
      csrf={state.csrf}
      outcome={outcome}
      name="Authenticator app"
      help="What you call it: the phone that it is on."
      note="The secret is shown once, on the next page."
      button="Show the secret"
    />
  );
}

function FirstCode({ factor_id, state, outcome, shown }: Props & { factor_id: string; shown: boolean }) {
  const typed = typedInto('confirmOwnTotpForm', outcome);
  const action = `${pagePath('second-factors')}/${encodeURIComponent(factor_id)}/confirm`;
  return (
    <>
      {!shown && (
        <Note icon="info">
          The secret is not shown again. If the app does not have it, <a href={PATH}>begin again</a> with a new one.
        </Note>
      )}
      <Refused typed={typed} labels={{ code: 'Code' }} />
      <Form action={action} csrf={state.csrf}>
        <HiddenField name="factor_id" value={factor_id} />
        <TextField
          name="code"
          label="Code"
          value=""
          autocomplete="one-time-code"
          inputmode="numeric"
          help="The six digits that the app shows now."
          mono
          required
          error={typed.of('code')}
        />
        <FormActions note="From then on it is asked for at each sign-in. Your other sessions end.">
          <Button kind="primary">Confirm</Button>
          <ButtonLink href={pagePath('second-factors')}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
