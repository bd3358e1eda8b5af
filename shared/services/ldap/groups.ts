// Groups of the directory. They hold users and other groups of the same organisation, and no circle.
import * as v from 'valibot';
import { type FieldError, invalid } from '../../ground/problems.ts';
import { component, described, idSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { groupName, uuidOf } from './names.ts';
import { organizationNamed, organizations, SLUG } from './organizations.ts';
import { refuseMember } from './users.ts';

export interface DirectoryGroup extends Kept {
  organization_id: string;
  /** Slug. */
  organization: string;
  name: string;
  /** Names of users, sorted. */
  member_users: string[];
  /** Names of groups, sorted. */
  member_groups: string[];
  entry_uuid: string;
}

/** A form carries as many in its four mebibytes. */
export const MEMBERS_MOST = 10_000;

const names = (what: string) =>
  described(
    v.pipe(
      v.array(v.pipe(v.string(), v.trim(), v.maxLength(64, 'At most 64 characters.'))),
      v.maxLength(MEMBERS_MOST, `At most ${MEMBERS_MOST} members.`),
    ),
    what,
  );
const choices = {
  member_users: v.optional(names(`Names of users of the same organization, ${MEMBERS_MOST} at most.`)),
  member_groups: v.optional(
    names(
      `Names of groups of the same organization, whose members belong to this one as well. None that holds this one.`,
    ),
  ),
  enabled: v.optional(enabledMember('saved, and not in the directory.')),
  description: v.optional(descriptionMember),
};

const item = component(
  'LdapGroup',
  v.object({
    id: idSchema,
    organization_id: text('Id of its organization.'),
    organization: text('Short name of its organization.'),
    name: text('Name of the group.'),
    member_users: described(v.array(v.string()), 'Names of users, sorted.'),
    member_groups: described(v.array(v.string()), 'Names of groups, sorted.'),
    entry_uuid: text('The entry’s entryUUID (RFC 4530).'),
    ...KEPT_MEMBERS,
  }),
);

export const groups: Collection<DirectoryGroup> = {
  table: 'ldap_group',
  prefix: 'ldapgroup',
  noun: 'directory group',
  tag: 'LDAP',
  resource: 'ldap',
  path: '/api/v1/ldap/groups',
  param: 'group_id',
  pages: { all: 'ldap-groups', one: 'ldap-group', home: 'ldap-groups' },
  listed: { component: 'LdapGroups', noun: 'group', nouns: 'groups' },
  imports: {
    key: ['organization_id', 'name'],
    names: { organization: { of: 'organization_id', collection: () => organizations, member: 'slug' } },
  },
  action: 'ldap.group',
  columns: {
    organization_id: 'text',
    organization: SLUG,
    name: 'text',
    member_users: 'json',
    member_groups: 'json',
    entry_uuid: 'text',
  },
  order: ['name', 'organization_id'],
  lookups: ['organization_id', 'name', 'enabled'],
  immutable: ['organization_id', 'name'],
  defaults: { member_users: [], member_groups: [] },
  // Ten thousand names of 64 characters.
  bodyLimit: 1 << 20,
  schemas: {
    item,
    list: listOf('LdapGroupList', item),
    create: component(
      'LdapGroupCreate',
      v.strictObject({
        organization_id: text('Id of the organization. It can’t be changed later.'),
        name: groupName('Unique in the organization, whatever its case. It can’t be changed later.'),
        ...choices,
      }),
      { organization_id: 'ldaporg_h7k2m9p4q6r8s3t5', name: 'VCF Admins' },
    ),
    update: component('LdapGroupUpdate', v.strictObject(choices), { description: 'Administrators of the lab' }),
  },
  title: ({ name }) => name,
  facts: ({ member_users, member_groups, ...group }) => ({
    ...told<typeof group>('organization', 'enabled')(group),
    users: member_users.length,
    member_groups,
  }),
  async settle(tx, next, before, { entropy }) {
    const slug = before?.organization ?? (await organizationNamed(tx, next.organization_id)).slug;
    const group = { ...next, organization: slug, entry_uuid: next.entry_uuid ?? uuidOf(entropy.bytes(16)) };
    return { ...group, ...(await knownMembers(tx, group)) };
  },
  // Not while it is settled: a row of an import that is refused after that is taken back alone, and nobody would forget it.
  async saved(tx, { id, organization_id, name, member_groups }) {
    const { held, ids } = await groupsIn(tx, organization_id);
    held.set(name, member_groups);
    ids.set(name.toLowerCase(), { id, name });
  },
  deletable: (tx, { organization_id, name }) => refuseMember(tx, organization_id, 'member_groups', name),
};

const sorted = (names: readonly string[]): string[] => [...new Set(names.filter((name) => name !== ''))].sort();

/** @throws Problem 422 at the lists of members; 409 is left to the unique name. */
async function knownMembers(tx: Transaction, group: DirectoryGroup) {
  const { id, organization_id, name } = group;
  const errors: FieldError[] = [];
  const { held, ids } = await groupsIn(tx, organization_id);
  const twin = ids.get(name.toLowerCase());
  if (twin && twin.id !== id)
    errors.push({ pointer: '/name', detail: `There is a group ${twin.name} in this organization already.` });
  const member_users = sorted(group.member_users.map((uid) => uid.toLowerCase()));
  const member_groups = sorted(group.member_groups);
  for (const uid of await unknownUsers(tx, organization_id, member_users))
    errors.push({ pointer: '/member_users', detail: `There is no user ${JSON.stringify(uid)} in this organization.` });
  for (const member of member_groups) {
    if (member === name) errors.push({ pointer: '/member_groups', detail: 'A group can’t be its own member.' });
    else if (!held.has(member))
      errors.push({
        pointer: '/member_groups',
        detail: `There is no group ${JSON.stringify(member)} in this organization.`,
      });
    else if (reaches(held, member, name))
      errors.push({ pointer: '/member_groups', detail: `${member} holds this group already: that would be a circle.` });
  }
  if (errors.length > 0) throw invalid(...errors.slice(0, 20));
  return { member_users, member_groups };
}

interface Standing {
  /** Name → names of groups in it. */
  held: Map<string, string[]>;
  /** By name in lower case, since slapd compares names of groups without regard to case. */
  ids: Map<string, { id: string; name: string }>;
}

/** By organization. Read once a transaction: an import settles one group after the other. */
const standings = new WeakMap<Transaction, Map<string, Standing>>();

async function groupsIn(tx: Transaction, organization_id: string): Promise<Standing> {
  const known = standings.get(tx) ?? new Map<string, Standing>();
  standings.set(tx, known);
  const found = known.get(organization_id);
  if (found) return found;
  const all = await tx.all<{ id: string; name: string; member_groups: string }>(
    'SELECT id, name, member_groups FROM ldap_group WHERE organization_id = ?',
    [organization_id],
  );
  const standing: Standing = {
    held: new Map(all.map(({ name, member_groups }) => [name, JSON.parse(member_groups) as string[]])),
    ids: new Map(all.map(({ id, name }) => [name.toLowerCase(), { id, name }])),
  };
  known.set(organization_id, standing);
  return standing;
}

const UNKNOWN = `SELECT asked.value AS uid FROM json_each(?) AS asked
  WHERE NOT EXISTS (SELECT 1 FROM ldap_user WHERE organization_id = ? AND uid = asked.value) LIMIT 20`;

async function unknownUsers(tx: Transaction, organization_id: string, uids: readonly string[]): Promise<string[]> {
  if (uids.length === 0) return [];
  const rows = await tx.all<{ uid: string }>(UNKNOWN, [JSON.stringify(uids), organization_id]);
  return rows.map(({ uid }) => uid);
}

/** Whether a group holds another one, directly or through others. */
function reaches(held: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(held.get(name) ?? []));
  }
  return false;
}
