// The pages of directory users: fields, facts and words.

import { userDn } from '../../shared/services/ldap/follow/wanted.ts';
import { accountNow, type AccountNow as Now } from '../../shared/services/ldap/status.ts';
import { type DirectoryUser, NAME_MOST, USER_KINDS, users } from '../../shared/services/ldap/users.ts';
import { Copyable } from '../components/copyable.tsx';
import type { Field } from '../units/fields.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { AccountNow, passwordFact } from './account-now.tsx';
import { type InOrganization, inOrganization, LDAP, noOrganization, organizationField, USERS } from './places.tsx';

const KINDS: Record<(typeof USER_KINDS)[number], string> = {
  person: 'Person',
  service: 'Service: an account of a machine',
};

const named = (name: string, label: string, help = ''): Field => ({
  name,
  label,
  kind: 'text',
  wide: true,
  maxlength: NAME_MOST,
  ...(help && { help }),
});

export const USER_PAGES: ItemPages<DirectoryUser, InOrganization & { now: Now | null }> = {
  collection: users,
  component: 'LdapUser',
  noun: 'user',
  what: 'the directory',
  home: USERS,
  above: [LDAP],
  base: USERS.href,
  blank: ({ organization_id }) => ({
    organization_id,
    uid: '',
    kind: 'person',
    given_name: '',
    surname: '',
    display_name: '',
    mail: '',
    telephone: '',
    enabled: true,
    description: '',
  }),
  async load(db, user, asked, services) {
    const extra = await inOrganization(db, asked);
    const suffix = user && extra.organizations.find(({ id }) => id === user.organization_id)?.suffix;
    return { ...extra, now: suffix ? await accountNow(services, userDn(user.uid, suffix)) : null };
  },
  missing: noOrganization,
  groups: (extra, item) => [
    {
      legend: 'User',
      fields: [
        ...(item
          ? []
          : [
              organizationField(extra),
              {
                name: 'uid',
                label: 'Name',
                kind: 'text' as const,
                mono: true,
                required: true,
                maxlength: 64,
                placeholder: 'ada',
                help: 'With which the user signs in. It can’t be changed later.',
              },
            ]),
        {
          name: 'kind',
          label: 'Kind',
          kind: 'radio',
          options: USER_KINDS.map((value) => ({ value, label: KINDS[value] })),
        },
        named('given_name', 'Given name'),
        { ...named('surname', 'Surname', 'Of a service its name.'), required: true } as Field,
        named('display_name', 'Display name', 'Empty: given name and surname.'),
        { ...named('mail', 'Mail', 'Empty: its name at the domain of the organization.'), maxlength: 254 } as Field,
        {
          ...named('telephone', 'Telephone', 'Empty: 555-0100, since clients ask for a value.'),
          maxlength: 32,
        } as Field,
      ],
    },
    commonGroup('user', 'A disabled user stays in the directory and can’t sign in.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="directoryUser" row={row} />,
  facts: ({ uid, organization, organization_id, entry_uuid, password_set_at }, { organizations }) => [
    { label: 'Organization', value: organization },
    {
      label: 'DN',
      value: (
        <Copyable
          id="dn"
          text={`uid=${uid},ou=people,${organizations.find(({ id }) => id === organization_id)?.suffix ?? ''}`}
        />
      ),
    },
    { label: 'entryUUID', value: <code>{entry_uuid}</code> },
    passwordFact(password_set_at),
  ],
  below: (user, { now }, state) => (
    <AccountNow now={now} name={user.uid} href={itemHref(USERS.href, user.id)} state={state} />
  ),
  deleting: () =>
    'The user is gone from the directory with the next apply. Products keep what they gave to its entryUUID.',
};
