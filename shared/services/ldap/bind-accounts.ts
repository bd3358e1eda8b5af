// Bind accounts: with which vCenter, NSX and others look users and groups of one organisation up. They are no users.
import * as v from 'valibot';
import { component, described, idSchema, listOf, text } from '../../ground/schemas/component.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { accountName, uuidOf } from './names.ts';
import { organizationNamed, organizations, SLUG } from './organizations.ts';

export interface BindAccount extends Kept {
  organization_id: string;
  /** Slug. */
  organization: string;
  name: string;
  entry_uuid: string;
  /** When its password was last set; null: it has none. */
  password_set_at: string | null;
}

/** What the appliance itself puts beside them. */
export const RESERVED_NAMES: readonly string[] = [
  'applied',
  'readers',
  'nobody',
  'password-policy',
  'account-policy',
  'probe-policy',
];

const name = v.pipe(
  accountName(
    'Unique in the organization; its distinguished name is cn=NAME,ou=system,SUFFIX. It can’t be changed later.',
  ),
  v.check((text) => !RESERVED_NAMES.includes(text), `The directory uses ${RESERVED_NAMES.join(', ')} itself.`),
);
const choices = {
  enabled: v.optional(enabledMember('saved, and it can neither bind nor read.')),
  description: v.optional(descriptionMember),
};

const item = component(
  'LdapBindAccount',
  v.object({
    id: idSchema,
    organization_id: text('Id of its organization.'),
    organization: text('Short name of its organization.'),
    name: text('Its distinguished name is cn=NAME,ou=system,SUFFIX.'),
    entry_uuid: text('The entry’s entryUUID (RFC 4530).'),
    password_set_at: described(v.nullable(v.string()), 'When its password was last set; null: it has none.'),
    ...KEPT_MEMBERS,
  }),
);

export const bindAccounts: Collection<BindAccount> = {
  table: 'ldap_bind_account',
  prefix: 'ldapbind',
  noun: 'bind account',
  tag: 'LDAP',
  resource: 'ldap',
  path: '/api/v1/ldap/bind-accounts',
  param: 'bind_account_id',
  pages: { all: 'ldap-bind-accounts', one: 'ldap-bind-account', home: 'ldap-bind-accounts' },
  listed: { component: 'LdapBindAccounts', noun: 'bind account', nouns: 'bind accounts' },
  imports: {
    key: ['organization_id', 'name'],
    names: { organization: { of: 'organization_id', collection: () => organizations, member: 'slug' } },
    without: 'Passwords are never in a file: those that are set stay, and new bind accounts have none.',
  },
  action: 'ldap.bind_account',
  columns: {
    organization_id: 'text',
    organization: SLUG,
    name: 'text',
    entry_uuid: 'text',
    password_set_at: {
      sql: '(SELECT set_by.updated_at FROM ldap_password AS set_by WHERE set_by.account_id = ldap_bind_account.id)',
    },
  },
  order: ['name', 'organization_id'],
  lookups: ['organization_id', 'name', 'enabled'],
  immutable: ['organization_id', 'name'],
  defaults: {},
  schemas: {
    item,
    list: listOf('LdapBindAccountList', item),
    create: component(
      'LdapBindAccountCreate',
      v.strictObject({ organization_id: text('Id of the organization. It can’t be changed later.'), name, ...choices }),
      { organization_id: 'ldaporg_h7k2m9p4q6r8s3t5', name: 'vcenter' },
    ),
    update: component('LdapBindAccountUpdate', v.strictObject(choices), { enabled: false }),
  },
  title: (account) => account.name,
  facts: told('organization', 'enabled'),
  async settle(tx, next, before, { entropy }) {
    const slug = before?.organization ?? (await organizationNamed(tx, next.organization_id)).slug;
    const entry_uuid = next.entry_uuid ?? uuidOf(entropy.bytes(16));
    return { ...next, entry_uuid, organization: slug, password_set_at: before?.password_set_at ?? null };
  },
};
