// Users of the directory: people and services that sign in somewhere else with it.
import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import { component, described, idSchema, listOf, text } from '../../ground/schemas/component.ts';
import { plainText } from '../../ground/schemas/plain-text.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { accountName, uuidOf } from './names.ts';
import { organizationNamed, organizations, SLUG } from './organizations.ts';

export const USER_KINDS = ['person', 'service'] as const;

export interface DirectoryUser extends Kept {
  organization_id: string;
  /** Slug. */
  organization: string;
  uid: string;
  kind: (typeof USER_KINDS)[number];
  given_name: string;
  surname: string;
  display_name: string;
  mail: string;
  telephone: string;
  entry_uuid: string;
  /** When its password was last set; null: it has none. */
  password_set_at: string | null;
}

export const NAME_MOST = 128;

/** A value of an attribute: what people read, of at most so many characters. */
const value = (what: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(NAME_MOST, `At most ${NAME_MOST} characters.`),
    plainText,
    v.description(what),
  );
const surname = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A surname is missing.'),
  v.maxLength(NAME_MOST, `At most ${NAME_MOST} characters.`),
  plainText,
  v.description(`1 to ${NAME_MOST} characters; of a service its name.`),
);
// RFC 5321, 4.1.2, without quoted parts; in the directory it is ASCII.
const mail = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(254, 'At most 254 characters.'),
  v.regex(
    /^$|^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    'An address such as ada@lab.example.',
  ),
  v.description('Empty: its name at the domain of the organization, since clients ask for a value.'),
);
// RFC 4517, 3.3.31: a printable string.
const telephone = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(32, 'At most 32 characters.'),
  v.regex(/^$|^\+?[0-9](?:[0-9 ./()-]*[0-9])?$/, 'Digits, with blanks, dots, hyphens, slashes and brackets between.'),
  v.description('Empty: 555-0100, since clients ask for a value.'),
);
const kind = described(v.picklist(USER_KINDS), 'person, or service for an account of a machine. Default person.');
const organizationId = text('Id of the organization. It can’t be changed later.');

const item = component(
  'LdapUser',
  v.object({
    id: idSchema,
    organization_id: text('Id of its organization.'),
    organization: text('Short name of its organization.'),
    uid: text('Name that it signs in with.'),
    kind,
    given_name: text('Empty: none.'),
    surname: text('Surname, or the name of a service.'),
    display_name: text('Name that others see; empty: given name and surname.'),
    mail: text('Empty: its name at the domain of the organization.'),
    telephone: text('Empty: 555-0100.'),
    entry_uuid: text(
      'The entry’s entryUUID (RFC 4530): clients know the user by it, whatever becomes of the directory.',
    ),
    password_set_at: described(v.nullable(v.string()), 'When its password was last set; null: it has none.'),
    ...KEPT_MEMBERS,
  }),
);
const choices = {
  kind: v.optional(kind),
  given_name: v.optional(value(`At most ${NAME_MOST} characters.`)),
  display_name: v.optional(value(`At most ${NAME_MOST} characters. Empty: given name and surname.`)),
  mail: v.optional(mail),
  telephone: v.optional(telephone),
  enabled: v.optional(enabledMember('kept in the directory, and it can’t sign in.')),
  description: v.optional(descriptionMember),
};

export const users: Collection<DirectoryUser> = {
  table: 'ldap_user',
  prefix: 'ldapuser',
  noun: 'directory user',
  tag: 'LDAP',
  resource: 'ldap',
  path: '/api/v1/ldap/users',
  param: 'directory_user_id',
  pages: { all: 'ldap-users', one: 'ldap-user', home: 'ldap-users' },
  listed: { component: 'LdapUsers', noun: 'user', nouns: 'users' },
  imports: {
    key: ['organization_id', 'uid'],
    names: { organization: { of: 'organization_id', collection: () => organizations, member: 'slug' } },
    without: 'Passwords are never in a file: those that are set stay, and new users have none.',
  },
  action: 'ldap.user',
  columns: {
    organization_id: 'text',
    organization: SLUG,
    uid: 'text',
    kind: 'text',
    given_name: 'text',
    surname: 'text',
    display_name: 'text',
    mail: 'text',
    telephone: 'text',
    entry_uuid: 'text',
    password_set_at: {
      sql: '(SELECT set_by.updated_at FROM ldap_password AS set_by WHERE set_by.user_id = ldap_user.id)',
    },
  },
  order: ['uid', 'organization_id'],
  lookups: ['organization_id', 'uid', 'mail', 'enabled'],
  spelling: { uid: (typed) => typed.trim().toLowerCase() },
  immutable: ['organization_id', 'uid'],
  defaults: { kind: 'person', given_name: '', display_name: '', mail: '', telephone: '' },
  schemas: {
    item,
    list: listOf('LdapUserList', item),
    create: component(
      'LdapUserCreate',
      v.strictObject({
        organization_id: organizationId,
        uid: accountName('Name that it signs in with, unique in the organization. It can’t be changed later.'),
        surname,
        ...choices,
      }),
      { organization_id: 'ldaporg_h7k2m9p4q6r8s3t5', uid: 'ada', given_name: 'Ada', surname: 'Lovelace' },
    ),
    update: component('LdapUserUpdate', v.strictObject({ surname: v.optional(surname), ...choices }), {
      mail: 'ada@lab.example',
    }),
  },
  title: ({ uid }) => uid,
  facts: told('organization', 'kind', 'given_name', 'surname', 'display_name', 'mail', 'telephone', 'enabled'),
  async settle(tx, next, before, { entropy }) {
    const slug = before?.organization ?? (await organizationNamed(tx, next.organization_id)).slug;
    const entry_uuid = next.entry_uuid ?? uuidOf(entropy.bytes(16));
    return { ...next, entry_uuid, organization: slug, password_set_at: before?.password_set_at ?? null };
  },
  deletable: (tx, { organization_id, uid }) => refuseMember(tx, organization_id, 'member_users', uid),
};

const HOLDERS = (column: string) => `SELECT name FROM ldap_group, json_each(ldap_group.${column}) AS member
  WHERE organization_id = ? AND member.value = ? ORDER BY name LIMIT 5`;

/** @throws Problem 409 naming groups that have it as a member */
export async function refuseMember(
  tx: Transaction,
  organization_id: string,
  column: 'member_users' | 'member_groups',
  name: string,
): Promise<void> {
  const holders = await tx.all<{ name: string }>(HOLDERS(column), [organization_id, name]);
  if (holders.length === 0) return;
  throw new Problem('still_referenced', `${name} is a member of groups.`, {
    blockers: holders.map((group) => ({
      subject: `Group ${group.name}`,
      reason: `${name} is one of its members.`,
      page: pagePath('ldap-groups'),
      unblock: `Take ${name} out of the group first.`,
    })),
  });
}
