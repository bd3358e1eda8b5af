// Making new recovery codes, which are shown once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { RecoveryCodes } from '../access/authenticator.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { FACTORS_TRAIL, resultOf } from './adding.tsx';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from './own-password.tsx';

const PATH = `${pagePath('second-factors')}/recovery-codes`;

export const page = definePage({
  id: 'recoveryCodesPage',
  path: PATH,
  current: ACCOUNT_PATH,
  access: { session: 'any' },
  load: async () => ({}),
  title: () => 'New recovery codes',
  view: NewCodes,
});

function NewCodes({ state, outcome }: ViewProps<unknown>) {
  const made = resultOf<{ recovery_codes: string[] }>(outcome, 'makeOwnRecoveryCodesForm');
  const typed = typedInto('makeOwnRecoveryCodesForm', outcome);
  const back = pagePath('second-factors');
  return (
    <>
      <PageHead
        title="New recovery codes"
        intro="Each signs you in once, in place of the second factor."
        trail={FACTORS_TRAIL}
      />
      {made ? (
        <>
          <RecoveryCodes codes={made.recovery_codes} />
          <div>
            <ButtonLink href={back} kind="primary">
              I have the codes: go on
            </ButtonLink>
          </div>
        </>
      ) : (
        <>
          <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
          <Form action={PATH} csrf={state.csrf}>
            <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
            <FormActions note="Earlier codes stop working. The new ones are shown once, on the next page.">
              <Button kind="primary">Make new recovery codes</Button>
              <ButtonLink href={back}>Cancel</ButtonLink>
            </FormActions>
          </Form>
        </>
      )}
    </>
  );
}
