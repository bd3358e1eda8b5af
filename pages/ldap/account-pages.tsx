// The pages of bind accounts: fields, facts and words.
import { type BindAccount, bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { accountDn } from '../../shared/services/ldap/follow/wanted.ts';
import { accountNow, type AccountNow as Now } from '../../shared/services/ldap/status.ts';
import { Copyable } from '../components/copyable.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { AccountNow, passwordFact } from './account-now.tsx';
import { ACCOUNTS, type InOrganization, inOrganization, LDAP, noOrganization, organizationField } from './places.tsx';

export const ACCOUNT_PAGES: ItemPages<BindAccount, InOrganization & { now: Now | null }> = {
  collection: bindAccounts,
  component: 'LdapBindAccount',
  noun: 'bind account',
  what: 'the directory',
  home: ACCOUNTS,
  above: [LDAP],
  base: ACCOUNTS.href,
  blank: ({ organization_id }) => ({ organization_id, name: '', enabled: true, description: '' }),
  async load(db, account, asked, services) {
    const extra = await inOrganization(db, asked);
    const suffix = account && extra.organizations.find(({ id }) => id === account.organization_id)?.suffix;
    return { ...extra, now: suffix ? await accountNow(services, accountDn(account.name, suffix)) : null };
  },
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
    passwordFact(password_set_at),
  ],
  below: (account, { now }, state) => (
    <AccountNow now={now} name={account.name} href={itemHref(ACCOUNTS.href, account.id)} state={state} />
  ),
  deleting: () => 'Once this is applied, products can no longer look users up with it.',
};
