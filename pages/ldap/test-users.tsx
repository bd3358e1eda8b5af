// Making test users of a lab: how many, by which seed, and with which groups.
import { idParam } from '../../shared/ground/schemas/component.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Organization, organizations } from '../../shared/services/ldap/organizations.ts';
import { TEST_GROUPS_MOST, TEST_USERS_MOST } from '../../shared/services/ldap/transfer/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CheckField, Form, FormActions, TextField } from '../components/form.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ON_APPLY, Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { LDAP, ORGANIZATIONS, USERS } from './places.tsx';

const FORM = 'makeLdapTestUsersForm';
const LABELS = { count: 'Users', groups: 'Groups', seed: 'Seed', passwords: 'Password' };

export const page = definePage({
  id: 'makeLdapTestUsersPage',
  path: `${ORGANIZATIONS}/{organization_id}/test-users`,
  current: LDAP.href,
  access: { session: 'write:ldap' },
  params: idParam('organization_id', 'Id of the organization.'),
  load: ({ db, params }) => findItem(db, organizations, params.organization_id),
  title: ({ slug }) => `Test users of ${slug}`,
  view: TestUsers,
});

function TestUsers({ data: { id, slug }, state, outcome }: ViewProps<Organization>) {
  const typed = typedInto(FORM, outcome);
  const href = itemHref(ORGANIZATIONS, id);
  return (
    <>
      <PageHead
        title="Make test users"
        here="Test users"
        trail={[LDAP, { href, label: <code>{slug}</code> }]}
        intro="People with invented names, for labs. The same seed gives the same names."
      />
      <Refused typed={typed} labels={LABELS} />
      {typed.outcome && !typed.outcome.problem && <Outcome of={typed.outcome} within={id} />}
      <Form action={`${href}/test-users`} csrf={state.csrf} label={`Make test users in ${slug}`}>
        <TextField
          name="count"
          label={LABELS.count}
          value={typed.text('count', '20')}
          help={`1 to ${TEST_USERS_MOST}.`}
          error={typed.of('count')}
          required
        />
        <TextField
          name="groups"
          label={LABELS.groups}
          value={typed.text('groups', '2')}
          help={`0 to ${TEST_GROUPS_MOST}. The users are spread among them.`}
          error={typed.of('groups')}
          required
        />
        <TextField
          name="seed"
          label={LABELS.seed}
          value={typed.text('seed', 'lab1')}
          help="Lower-case letters, digits and inner hyphens. Names end in it."
          error={typed.of('seed')}
          required
        />
        <CheckField
          name="passwords"
          label="One password for all of them"
          help="It is made here and shown on the next page, once."
          checked={typed.outcome?.values.has('passwords') ?? false}
        />
        <FormActions note={ON_APPLY}>
          <Button kind="primary">Make test users</Button>
          <ButtonLink href={href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function Outcome({ of, within }: { of: FormOutcome; within: string }) {
  const { users, groups, password } = of.result as { users: string[]; groups: string[]; password: string | null };
  const list = `${USERS.href}?organization_id=${encodeURIComponent(within)}`;
  return (
    <>
      {password !== null && (
        <SecretOnce title="Password of all of them" secret={password}>
          <p class="muted">It is accepted from the next apply on.</p>
        </SecretOnce>
      )}
      <p role="status">
        <a href={list}>{users.length} users</a> and {groups.length} groups are saved, from <code>{users[0]}</code> to{' '}
        <code>{users.at(-1)}</code>.
      </p>
    </>
  );
}
