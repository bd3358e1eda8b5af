// Setting a password of the directory: typing one, or having one made that is shown once. Users and bind accounts have the
// same page.
import { idParam } from '../../shared/ground/schemas/component.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { Collection, Kept } from '../../shared/platform/units/collection.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Name } from '../components/code.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ON_APPLY, Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { LDAP } from './places.tsx';

interface PasswordPage {
  /** `LdapUser`, as in the ids of its operations. */
  component: string;
  home: { href: string; label: string };
}

interface Data<Item> {
  item: Item;
  least: number;
}

export function passwordPage<Item extends Kept>(
  collection: Collection<Item>,
  { component, home }: PasswordPage,
): Operation {
  return definePage({
    id: `set${component}PasswordPage`,
    path: `${home.href}/{${collection.param}}/password`,
    current: LDAP.href,
    access: { session: 'write:ldap' },
    params: idParam(collection.param, `Id of the ${collection.noun}.`),
    async load({ db, params }): Promise<Data<Item>> {
      const item = await findItem(db, collection, params[collection.param]!);
      return { item, least: (await readSettings(db, ldapSettings)).saved.password_min_length };
    },
    title: ({ item }) => `Password of ${collection.title(item)}`,
    view({ data: { item, least }, state, outcome }: ViewProps<Data<Item>>) {
      const name = collection.title(item);
      const href = itemHref(home.href, item.id);
      const id = `set${component}PasswordForm`;
      const typed = withLost(typedInto(id, outcome));
      return (
        <>
          <PageHead
            trail={[LDAP, home, { href, label: <code>{name}</code> }]}
            here="Password"
            title={
              <>
                Password of <Name>{name}</Name>
              </>
            }
          />
          <Refused typed={typed} labels={{ password: 'Password' }} />
          <Outcome outcome={outcome?.operation_id === id && !outcome.problem ? outcome : null} name={name} />
          <Form action={`${href}/password`} csrf={state.csrf} label={`Set the password of ${name}`}>
            <TextField
              name="password"
              label="New password"
              type="password"
              value=""
              autocomplete="new-password"
              help={`At least ${least} characters. Empty: one is made, and shown on the next page, once.`}
              error={typed.of('password')}
            />
            <FormActions note={ON_APPLY}>
              <Button kind="primary">Set password</Button>
              <ButtonLink href={href}>Cancel</ButtonLink>
            </FormActions>
          </Form>
        </>
      );
    },
  });
}

/** What came of it. */
function Outcome({ outcome, name }: { outcome: FormOutcome | null; name: string }) {
  if (!outcome) return null;
  const { password } = (outcome.result ?? {}) as { password?: string | null };
  if (password) {
    return (
      <SecretOnce title={`New password of ${name}`} secret={password}>
        <p class="muted">It is accepted from the next apply on.</p>
      </SecretOnce>
    );
  }
  return (
    <p role="status">The password is set. It is accepted from the next apply on, and the former one until then.</p>
  );
}
