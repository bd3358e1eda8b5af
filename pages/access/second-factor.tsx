// The second step of signing in.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type FactorKind, listFactors } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { requestOptions } from '../../shared/kernel/access/second-factor/passkey-registration.ts';
import { findPolicy } from '../../shared/kernel/access/second-factor/policy.ts';
import { PASSKEY_NAMES } from '../../shared/kernel/access/second-factor/relying-party.ts';
import { findStep, stepCookie } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { type VisitorForm, visitorForm } from '../../shared/kernel/access/visitor-form.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { HiddenField, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { errorsOf } from './form-errors.ts';
import { PasskeyAsk } from './passkey-ask.tsx';

const PATH = `${pagePath('sign-in')}/second-factor`;

interface Step {
  name: string;
  hostname: string;
  kinds: ReadonlySet<FactorKind>;
  /** What the browser is asked; null: no passkey of the user works here. */
  passkey: Record<string, unknown> | null;
  form: VisitorForm;
}

export const page = definePlainPage({
  id: 'secondFactorPage',
  path: PATH,
  plane: 'management',
  async load({ services, db, request }): Promise<Step> {
    const step = await findStep(db, services, stepCookie(request.cookies, request.secure), request);
    const { keys, entropy, settings } = services;
    const { user_verification } = await findPolicy(db);
    return {
      name: step.name,
      hostname: settings.hostname,
      kinds: new Set((await listFactors(db, step.user_id)).map(({ kind }) => kind)),
      passkey: await requestOptions(db, step, user_verification),
      form: visitorForm(keys, entropy, request.cookies, request.secure),
    };
  },
  cookies: ({ form }) => form.cookies,
  title: ({ hostname }) => `Second factor for ${hostname}`,
  view: ({ data, outcome }) => <SecondFactor data={data} outcome={outcome} />,
});

const codeHelp = (kinds: ReadonlySet<FactorKind>): string =>
  kinds.has('totp')
    ? 'The six digits that your authenticator app shows now, or one of your recovery codes.'
    : 'One of your recovery codes, if your passkey is not at hand.';

function SecondFactor({ data, outcome }: { data: Step; outcome: FormOutcome | null }) {
  const problem = outcome?.problem ?? null;
  const { errors, of } = errorsOf(outcome);
  // Of a passkey, which has no field.
  const wrong = errors.find(({ pointer }) => pointer !== '/code');
  return (
    <>
      <h1>Second factor</h1>
      <p>
        The first step of the sign-in of <code>{data.name}</code> is done. This step is open for five minutes.
      </p>
      {problem && errors.length === 0 && <Refusal problem={problem} title="Sign-in failed" />}
      {wrong && <Note icon="stop">{wrong.detail}</Note>}
      {data.passkey && (
        <PasskeyAsk does="get" options={data.passkey} action={`${PATH}/passkey`} csrf={data.form.token}>
          Use a passkey
        </PasskeyAsk>
      )}
      {!data.passkey && data.kinds.has('passkey') && !wrong && <Note icon="info">{PASSKEY_NAMES(data.hostname)}</Note>}
      <form class="form stack" method="post" action={PATH} aria-label="Second factor" data-repeats>
        <HiddenField name="csrf" value={data.form.token} />
        <TextField
          name="code"
          label={data.kinds.has('totp') ? 'Code' : 'Recovery code'}
          value=""
          autocomplete="one-time-code"
          help={codeHelp(data.kinds)}
          mono
          required
          error={of('code')}
        />
        <p class="muted" role="status" data-repeats-says />
        <div class="actions">
          <Button kind="primary">Go on</Button>
          <ButtonLink href={pagePath('sign-in')}>Begin again</ButtonLink>
        </div>
      </form>
    </>
  );
}
