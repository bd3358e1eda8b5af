// Changing or removing a user.
import { findUser, type User } from '../../shared/access/user.ts';
import { idParam } from '../../shared/operation/component.ts';
import { errorsOf } from '../access/form-errors.ts';
import { Button, ButtonLink, PostButton } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Facts } from '../components/facts.tsx';
import { CheckField, Form, FormActions } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ROOT } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { PasswordField, RoleField } from './user-fields.tsx';

const USERS = `${ROOT}/users`;

export const page = definePage({
  id: 'userPage',
  path: `${USERS}/{user_id}`,
  current: USERS,
  access: { session: 'read:users' },
  params: idParam('user_id', 'Id of the user.'),
  load: async ({ db, params }) => findUser(db, params.user_id),
  title: ({ name }) => name,
  view: UserView,
});

function UserView({ data: user, state, outcome }: ViewProps<User>) {
  const path = `${USERS}/${encodeURIComponent(user.id)}`;
  const { errors, of } = errorsOf(outcome);
  const problem = outcome?.problem ?? null;
  const typed = outcome?.operation_id === 'updateUserForm' ? outcome.values : null;
  const itself = user.name === state.user.name;
  return (
    <>
      <PageHead title={<code>{user.name}</code>} here={user.name} trail={[{ href: USERS, label: 'Users' }]} />
      {problem && errors.length === 0 && <Refused problem={problem} user={user} />}
      <ErrorSummary errors={errors} labels={{ role: 'Role', password: 'New password' }} />
      <Facts
        facts={[
          { label: 'Created', value: <Instant at={user.created_at} now={state.now} /> },
          { label: 'Changed', value: <Instant at={user.updated_at} now={state.now} /> },
          { label: 'Revision', value: user.revision },
        ]}
      />
      <Form action={path} csrf={state.csrf} revision={user.revision}>
        <RoleField value={typed?.get('role') ?? user.role} error={of('role')} />
        <CheckField
          name="enabled"
          label="May sign in"
          help="A disabled user’s tokens stop at once, and work again when the user is enabled again."
          checked={typed ? typed.has('enabled') : user.enabled}
          error={of('enabled')}
        />
        <PasswordField keep error={of('password')} />
        <FormActions
          note={
            itself
              ? 'Saving ends your own sessions: sign in again afterwards.'
              : 'Saving ends the user’s sessions. API tokens go on working; revoke them on their own page.'
          }
        >
          <Button kind="primary">Save</Button>
          <ButtonLink href={USERS}>Cancel</ButtonLink>
        </FormActions>
      </Form>
      <section class="danger" aria-labelledby="remove-title">
        <h2 id="remove-title">Remove the user</h2>
        <More summary={`Remove ${user.name}…`}>
          <div class="danger-body">
            <p>
              Sessions and tokens of <code>{user.name}</code> stop at once and are removed. The audit log keeps the
              name.
            </p>
            <p>
              <PostButton kind="bad" action={`${path}/delete`} csrf={state.csrf} fields={{ revision: user.revision }}>
                Remove {user.name}
              </PostButton>
            </p>
          </div>
        </More>
      </section>
    </>
  );
}

/** A stale form keeps what was typed, and says what is saved now. */
function Refused({ problem, user }: { problem: NonNullable<ViewProps<User>['outcome']>['problem']; user: User }) {
  if (!problem) return null;
  if (problem.status !== 412) return <Refusal problem={problem} title="Nothing was changed" />;
  const saved = `Saved now: role ${user.role}, ${user.enabled ? 'may sign in' : 'disabled'}. The form below holds what you chose; saving it replaces that.`;
  return <Refusal problem={{ ...problem, detail: saved }} title="Somebody changed this user meanwhile" />;
}
