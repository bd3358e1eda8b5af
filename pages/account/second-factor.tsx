// Removing one of the own second factors.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findFactor, listFactors, type SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { mustHaveFactor } from '../../shared/kernel/access/second-factor/policy.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { FACTOR_WORDS } from '../access/factor-words.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from './own-password.tsx';

interface Removal {
  factor: SecondFactor;
  last: boolean;
  required: boolean;
}

export const page = definePage({
  id: 'secondFactorRemovePage',
  path: pageRoute('second-factor'),
  current: ACCOUNT_PATH,
  access: { session: 'any' },
  params: idParam('factor_id', 'Id of the second factor.'),
  load: async ({ db, actor, params }): Promise<Removal> => ({
    factor: await findFactor(db, actor.user_id!, params.factor_id),
    last: (await listFactors(db, actor.user_id!)).length === 1,
    required: await mustHaveFactor(db, actor.role!),
  }),
  title: ({ factor }) => `Remove ${factor.name}`,
  view: Remove,
});

function Remove({ data: { factor, last, required }, state, outcome }: ViewProps<Removal>) {
  const typed = typedInto('removeOwnSecondFactorForm', outcome);
  const list = pagePath('second-factors');
  return (
    <>
      <PageHead
        title={`Remove ${factor.name}`}
        trail={[
          { href: ACCOUNT_PATH, label: 'Your account' },
          { href: list, label: 'Second factors' },
        ]}
      />
      <p>{FACTOR_WORDS[factor.kind]}: it can no longer be used to sign in.</p>
      {last && (
        <Note icon="warn">
          It is your last one, and your recovery codes go with it.{' '}
          {required
            ? 'Your role must have a second factor: at the next sign-in you add another.'
            : 'From then on the password alone signs you in.'}
        </Note>
      )}
      <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
      <Form action={pagePath('second-factor', factor.id)} csrf={state.csrf} label="Remove">
        <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
        <FormActions>
          <Button kind="bad">Remove</Button>
          <ButtonLink href={list}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
