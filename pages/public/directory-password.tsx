// Where people of the directory change their own passwords: plain, without a list of anybody.
import * as v from 'valibot';
import { requireOwnPasswords } from '../../shared/appliance/overview/own-passwords.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type VisitorForm, visitorForm } from '../../shared/kernel/access/visitor-form.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { errorsOf } from '../access/form-errors.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { HiddenField, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { definePlainPage } from '../layout/define-page.tsx';

const PAGE = pagePath('public-directory-password');

interface Data {
  secure: boolean;
  form: VisitorForm;
  /** Whether a name needs its organization. */
  several: boolean;
  /** Characters; earlier passwords. */
  least: number;
  history: number;
  changed: 'now' | 'soon' | undefined;
}

export const page = definePlainPage({
  id: 'publicDirectoryPasswordPage',
  path: PAGE,
  plane: 'public',
  query: v.object({ changed: v.optional(v.picklist(['now', 'soon'])) }),
  async load({ services, request, db, query }): Promise<Data> {
    const { entries } = await requireOwnPasswords(services, request.connection);
    const { saved } = await readSettings(db, ldapSettings);
    return {
      secure: request.secure,
      form: visitorForm(services.keys, services.entropy, request.cookies, request.secure, 'public'),
      several: entries.organizations.length > 1,
      least: saved.password_min_length,
      history: saved.password_history,
      changed: query.changed,
    };
  },
  cookies: ({ form }) => form.cookies,
  title: () => 'Change your password',
  view: ({ data, outcome }) => <Change data={data} outcome={outcome} />,
});

const SAID = {
  now: 'Your password is changed. From now on the new one is accepted, everywhere that asks the directory.',
  soon: 'Your new password is saved. It is accepted as soon as the directory answers, usually within seconds; until then use the former one.',
};

function Change({ data, outcome }: { data: Data; outcome: FormOutcome | null }) {
  const problem = outcome?.problem ?? null;
  const { errors } = errorsOf(outcome);
  return (
    <>
      <h1>Change your password</h1>
      <p>
        This changes the password of your account in the directory, with which you sign in to other products. It also
        works when your password has expired.
      </p>
      {data.changed && !outcome && (
        <Note icon="check">
          <span role="status">{SAID[data.changed]}</span>
        </Note>
      )}
      {!data.secure && (
        <Note icon="warn">
          This connection is not encrypted by the appliance. Unless a proxy of yours does it, a password can be read on
          the way.
        </Note>
      )}
      {problem && errors.length === 0 && <Refusal problem={problem} title="The password was not changed" />}
      <form class="form stack" method="post" action={PAGE} aria-label="Change your password">
        <HiddenField name="csrf" value={data.form.token} />
        <Fields data={data} outcome={outcome} />
        <div class="actions">
          <Button kind="primary">Change password</Button>
          <ButtonLink href={pagePath('public')}>Back</ButtonLink>
        </div>
      </form>
    </>
  );
}

function Fields({ data: { several, least, history }, outcome }: { data: Data; outcome: FormOutcome | null }) {
  const { of } = errorsOf(outcome);
  const differs = history === 0 ? '' : ` It must differ from your last ${history} passwords.`;
  return (
    <>
      <TextField
        name="username"
        label="User name"
        value={outcome?.values.get('username') ?? ''}
        autocomplete="username"
        help={several ? 'With its domain, as in a mail address: name@domain.' : ''}
        mono
        required
        error={of('username')}
      />
      <TextField
        name="password"
        label="Password now"
        type="password"
        value=""
        autocomplete="current-password"
        required
        error={of('password')}
      />
      <TextField
        name="new_password"
        label="New password"
        type="password"
        value=""
        autocomplete="new-password"
        help={`At least ${least} characters, without your user name.${differs}`}
        required
        error={of('new_password')}
      />
      <TextField
        name="new_password_again"
        label="New password again"
        type="password"
        value=""
        autocomplete="new-password"
        required
        error={of('new_password_again')}
      />
    </>
  );
}
