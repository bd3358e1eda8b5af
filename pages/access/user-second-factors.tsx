// The second factors of a user, for administrators: which there are, and taking them all away.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { listFactors, type SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { findUser, type User } from '../../shared/kernel/access/user.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOnlyRead, Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { FactorTable } from './factor-table.tsx';

const USERS = pagePath('users');

interface UserFactors {
  user: User;
  factors: SecondFactor[];
}

export const page = definePage({
  id: 'userSecondFactorsPage',
  path: `${pageRoute('user')}/second-factors`,
  current: USERS,
  access: { session: 'read:users' },
  params: idParam('user_id', 'Id of the user.'),
  load: async ({ db, params }): Promise<UserFactors> => {
    const user = await findUser(db, params.user_id);
    return { user, factors: await listFactors(db, user.id) };
  },
  title: ({ user }) => `Second factors of ${user.name}`,
  view: UserFactorsView,
});

function UserFactorsView({ data: { user, factors }, state, outcome }: ViewProps<UserFactors>) {
  const typed = typedInto('resetUserSecondFactorsForm', outcome);
  const may = state.user.scopes.includes('write:users');
  const back = pagePath('user', user.id);
  return (
    <>
      <PageHead
        title="Second factors"
        trail={[
          { href: USERS, label: 'Users' },
          { href: back, label: user.name },
        ]}
      />
      <FactorTable factors={factors} now={state.now} />
      {factors.length > 0 && (
        <section class="danger" aria-labelledby="reset-title">
          <h2 id="reset-title">Reset</h2>
          <p>
            For a user who has lost them all. Be sure who asks: afterwards the password alone signs in, or adds the
            first new one.
          </p>
          <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
          <Form action={`${pagePath('user', user.id)}/second-factors`} csrf={state.csrf} label="Reset second factors">
            <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
            <FormActions note="The recovery codes go as well, and the user’s sessions end. API tokens stay.">
              <Button kind="bad" unavailable={may ? undefined : mayOnlyRead('users')}>
                Remove all second factors
              </Button>
              <ButtonLink href={back}>Cancel</ButtonLink>
            </FormActions>
          </Form>
        </section>
      )}
    </>
  );
}
