// The pages of bind accounts: fields, facts and words.
import { type BindAccount, bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { Copyable } from '../components/copyable.tsx';
import { commonGroup, type ItemPages } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { ACCOUNTS, type InOrganization, inOrganization, LDAP, noOrganization, organizationField } from './places.tsx';

export const ACCOUNT_PAGES: ItemPages<BindAccount, InOrganization> = {
  collection: bindAccounts,
  component: 'LdapBindAccount',
  noun: 'bind account',
  what: 'the directory',
  home: ACCOUNTS,
  above: [LDAP],
  base: ACCOUNTS.href,
  blank: ({ organization_id }) => ({ organization_id, name: '', enabled: true, description: '' }),
  load: (db, _item, asked) => inOrganization(db, asked),
  missing: noOrganization,
  groups: (extra, item) => [
    ...(item
      ? []
      : [
          {
            legend: 'Bind account',
            fields: [
              organizationField(extra),
              {
                name: 'name',
                label: 'Name',
                kind: 'text' as const,
                mono: true,
                required: true,
                maxlength: 64,
                placeholder: 'vcenter',
                help: 'Of the product that looks users up with it. It can’t be changed later.',
              },
            ],
          },
        ]),
    commonGroup('bind account', 'A disabled account can neither bind nor read.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="bindAccount" row={row} />,
  facts: ({ name, organization, organization_id, password_set_at }, { organizations }) => [
    { label: 'Organization', value: organization },
    {
      label: 'Bind DN',
      value: (
        <Copyable
          id="dn"
          text={`cn=${name},ou=system,${organizations.find(({ id }) => id === organization_id)?.suffix ?? ''}`}
        />
      ),
    },
    { label: 'Password', value: password_set_at === null ? <span class="muted">none yet</span> : 'set' },
  ],
  deleting: () => 'Products that look users up with it can’t any more once this is applied.',
};
