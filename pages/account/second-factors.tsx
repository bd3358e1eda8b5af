// The own second factors: which there are, adding an authenticator, and new recovery codes.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { listFactors, type SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { mustHaveFactor } from '../../shared/kernel/access/second-factor/policy.ts';
import { recoveryCodesLeft } from '../../shared/kernel/access/second-factor/recovery-codes.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { AuthenticatorSecret, type Begun, RecoveryCodes } from '../access/authenticator.tsx';
import { FACTOR_WORDS } from '../access/factor-words.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from './own-password.tsx';

const PATH = pagePath('second-factors');

export interface Factors {
  factors: SecondFactor[];
  left: number;
  required: boolean;
}

export const page = definePage({
  id: 'secondFactorsPage',
  path: PATH,
  current: ACCOUNT_PATH,
  access: { session: 'any' },
  load: async ({ db, actor }): Promise<Factors> => ({
    factors: await listFactors(db, actor.user_id!),
    left: await recoveryCodesLeft(db, actor.user_id!),
    required: await mustHaveFactor(db, actor.role!),
  }),
  title: () => 'Second factors',
  view: SecondFactors,
});

const resultOf = <R,>(outcome: FormOutcome | null, form: string): R | null =>
  outcome?.operation_id === form ? ((outcome.result as R | null) ?? null) : null;

function SecondFactors({ data, state, outcome }: ViewProps<Factors>) {
  const begun = resultOf<Begun>(outcome, 'beginOwnTotpForm');
  const confirmed = resultOf<{ recovery_codes: string[] | null }>(outcome, 'confirmOwnTotpForm');
  const made = resultOf<{ recovery_codes: string[] }>(outcome, 'makeOwnRecoveryCodesForm');
  const codes = confirmed?.recovery_codes ?? made?.recovery_codes ?? null;
  return (
    <>
      <PageHead
        title="Second factors"
        intro="What you sign in with beside your password."
        trail={[{ href: ACCOUNT_PATH, label: 'Your account' }]}
      />
      {confirmed && <Note icon="check">The authenticator is added. Your other sessions ended.</Note>}
      {codes && <RecoveryCodes codes={codes} />}
      <List data={data} now={state.now} />
      {begun && <AuthenticatorSecret begun={begun} />}
      <Authenticator begun={begun} state={state} outcome={outcome} />
      {data.factors.length > 0 && <NewCodes left={data.left} state={state} outcome={outcome} />}
    </>
  );
}

function List({ data: { factors, required }, now }: { data: Factors; now: string }) {
  return (
    <>
      {required && factors.length === 0 && (
        <Note icon="warn">Your role must have a second factor: at the next sign-in you are asked to add one.</Note>
      )}
      <DataTable
        caption="Your second factors, oldest first"
        columns={[
          { key: 'name', label: 'Name', cell: ({ name }) => <b>{name}</b> },
          {
            key: 'kind',
            label: 'Kind',
            cell: ({ kind, rp_id }) => (
              <>
                {FACTOR_WORDS[kind]}
                {rp_id !== null && (
                  <>
                    {' '}
                    for <code>{rp_id}</code>
                  </>
                )}
              </>
            ),
          },
          {
            key: 'added',
            label: 'Added',
            look: 'nowrap',
            cell: ({ created_at }) => <Instant at={created_at} now={now} />,
          },
          {
            key: 'used',
            label: 'Last use',
            look: 'nowrap',
            cell: ({ last_used_at }) =>
              last_used_at === null ? <span class="muted">never</span> : <Instant at={last_used_at} now={now} />,
          },
        ]}
        rows={factors}
        rowKey={({ id }) => id}
        actions={({ id, name }) => (
          <ButtonLink kind="row" href={pagePath('second-factor', id)} label={`Remove ${name}`}>
            Remove
          </ButtonLink>
        )}
        empty="None: the password alone signs you in."
      />
    </>
  );
}

interface SectionProps extends Pick<ViewProps<Factors>, 'state' | 'outcome'> {
  begun: Begun | null;
}

const NAME_LABELS = { name: 'Name', ...OWN_PASSWORD_LABEL };

/** First its name and the own password; then, with the secret above, its first code. */
function Authenticator({ begun, state, outcome }: SectionProps) {
  const confirming = typedInto('confirmOwnTotpForm', outcome);
  // The id stands in the path that was posted to.
  const waits = begun?.factor_id ?? (confirming.outcome?.problem ? confirming.outcome.values.get('factor_id') : null);
  if (waits) return <FirstCode factor_id={waits} state={state} outcome={outcome} shown={begun !== null} />;
  const typed = typedInto('beginOwnTotpForm', outcome);
  return (
    <section aria-labelledby="totp-title">
      <h2 id="totp-title">Add an authenticator app</h2>
      <Refused typed={typed} labels={NAME_LABELS} />
      <Form action={`${PATH}/totp`} csrf={state.csrf} label="Add an authenticator app">
        <TextField
          name="name"
          label={NAME_LABELS.name}
          value={typed.text('name', 'Authenticator app')}
          help="What you call it: the phone that it is on."
          maxlength={80}
          required
          error={typed.of('name')}
        />
        <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
        <FormActions note="The secret is shown once, on the next page.">
          <Button>Show the secret</Button>
        </FormActions>
      </Form>
    </section>
  );
}

function FirstCode({
  factor_id,
  state,
  outcome,
  shown,
}: Pick<ViewProps<Factors>, 'state' | 'outcome'> & { factor_id: string; shown: boolean }) {
  const typed = typedInto('confirmOwnTotpForm', outcome);
  return (
    <section aria-labelledby="code-title">
      <h2 id="code-title">Confirm the authenticator</h2>
      {!shown && (
        <Note icon="info">
          The secret is not shown again. If the app does not have it, <a href={PATH}>begin again</a> with a new one.
        </Note>
      )}
      <Refused typed={typed} labels={{ code: 'Code' }} />
      <Form action={`${PATH}/${encodeURIComponent(factor_id)}/confirm`} csrf={state.csrf} label="Confirm the authenticator">
        <input type="hidden" name="factor_id" value={factor_id} />
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
        </FormActions>
      </Form>
    </section>
  );
}

function NewCodes({ left, state, outcome }: { left: number } & Pick<ViewProps<Factors>, 'state' | 'outcome'>) {
  const typed = typedInto('makeOwnRecoveryCodesForm', outcome);
  return (
    <section aria-labelledby="new-codes-title">
      <h2 id="new-codes-title">Recovery codes</h2>
      <p>
        {left === 0
          ? 'You have none left. Without one, who loses the second factor needs an administrator.'
          : `${left} of your codes were not used yet.`}
      </p>
      <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
      <Form action={`${PATH}/recovery-codes`} csrf={state.csrf} label="New recovery codes">
        <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
        <FormActions note="All earlier codes work no more. The new ones are shown once, on the next page.">
          <Button>Make new recovery codes</Button>
        </FormActions>
      </Form>
    </section>
  );
}
