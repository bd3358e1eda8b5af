// What of a tree that was changed by hand can become the desired state: values of users and members of groups that are known
// here, and users and groups that somebody added; and of policies and configuration what is a setting (settings.ts). Passwords,
// and entries that are missing, are never taken over.
import * as v from 'valibot';
import type { Host } from '../../../ground/machine/host.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import type { Draft } from '../../../platform/units/collection.ts';
import type { RowsFound } from '../../../platform/units/row-adoption.ts';
import type { LdapDesired } from '../desired.ts';
import { type OrganizationEntries, readEntries } from '../entries.ts';
import { slapdDaemon } from '../files.ts';
import { type Differing, differencesOf } from '../follow/follow.ts';
import { type Change, type Entry, LOCKED } from '../follow/ldif.ts';
import { leftTrees } from '../follow/left.ts';
import { appliedOf, groupDn, groupsOf, peopleOf, userDn } from '../follow/wanted.ts';
import { groups } from '../groups.ts';
import { ACCOUNT_NAME, GROUP_NAME } from '../names.ts';
import { users } from '../users.ts';
import { membersIn, nameIn, userAttributes, userMembers } from './attributes.ts';
import { appliedSays, readRunning } from './configuration.ts';
import { isPolicy } from './policy.ts';
import { blocker, changedRow, type Named, newRow, subjectOf, wordsOf } from './saved-rows.ts';
import { adoptSettings, findPolicy, findRunning, nothingFound, type SettingsFound } from './settings.ts';

/** Rows that are adopted at once: more of them are a file to import. */
const ROWS_MOST = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REMOVED = 'nobody applied it, and the next apply removes it';

/** What one tree has otherwise than it was applied. */
interface Tree {
  organization: OrganizationEntries;
  found: ReadonlyMap<string, Entry>;
  /** By DN in lower case; an entry may have to go and to come again. */
  changes: ReadonlyMap<string, Change[]>;
}

/** @throws Error when slapd can't be read */
export async function adoptRows(
  host: Host,
  inForce: LdapDesired,
  files?: ReadonlyMap<string, string>,
): Promise<RowsFound> {
  const all: RowsFound = { rows: [], refusals: [], left: [] };
  const running = await host.daemonRunning(slapdDaemon(host));
  if (running !== inForce.settings.enabled) {
    const reason = running ? 'It runs, though it was applied as off.' : 'It does not run.';
    all.refusals.push({ subject: 'slapd', reason, page: pagePath('apply'), unblock: 'Apply LDAP again' });
    return all;
  }
  const applied = running ? await readEntries(host) : null;
  const organizations = applied?.entries.organizations ?? [];
  const settings = nothingFound();
  for (const organization of organizations) {
    const how = { hashOf: () => '?', look: 'touched', left: leftTrees(host) } as const;
    read(all, settings, treeOf(organization, await differencesOf(host, organization, applied!, how)));
  }
  const said = running ? await appliedSays(host, inForce, files) : null;
  if (said) findRunning(settings, inForce, said, await readRunning(host));
  adoptSettings(all, settings, organizations.length);
  if (all.rows.length > ROWS_MOST) {
    const reason = `${all.rows.length} users and groups differ, and at most ${ROWS_MOST} are adopted at once.`;
    const unblock = 'Import a file of users or groups';
    all.refusals.push({ subject: 'The directory', reason, page: pagePath('ldap-users'), unblock });
  }
  return all;
}

function treeOf(organization: OrganizationEntries, { changes, found }: Differing): Tree {
  const own = changes.filter(({ dn }) => dn !== appliedOf(organization.suffix));
  return {
    organization,
    found: new Map(found.map((entry) => [entry.dn.toLowerCase(), entry])),
    changes: Map.groupBy(own, ({ dn }) => dn.toLowerCase()),
  };
}

/** Users before groups, which name them. */
function read(all: RowsFound, settings: SettingsFound, tree: Tree): void {
  const { organization, changes, found } = tree;
  const { slug, suffix } = organization;
  const left = new Set(changes.keys());
  for (const [dn, each] of changes) {
    const entry = found.get(dn);
    if (!entry || !isEdit(each) || !isPolicy(dn, suffix)) continue;
    findPolicy(settings, entry.dn, organization, { names: namesIn(each), attributes: entry.attributes });
    left.delete(dn);
  }
  const known = {
    users: new Map(organization.users.map((one) => [userDn(one.uid, suffix).toLowerCase(), one])),
    groups: new Map(organization.groups.map((one) => [groupDn(one.name, suffix).toLowerCase(), one])),
  };
  const uids = new Set(organization.users.map(({ uid }) => uid));
  for (const [dn, each] of changes) {
    const [user, entry] = [known.users.get(dn), found.get(dn)];
    if (user && entry && isEdit(each)) changedUser(all, { kind: 'user', slug, name: user.uid }, entry, each);
    else if (!user && entry && addedUser(all, organization, entry))
      uids.add(nameIn(entry.dn, 'uid', peopleOf(suffix))!);
    else continue;
    left.delete(dn);
  }
  for (const [dn, each] of changes) {
    const [group, entry] = [known.groups.get(dn), found.get(dn)];
    if (group && entry && isEdit(each)) changedGroup(all, tree, { group, entry, each, uids });
    else if (group || !entry || !addedGroup(all, tree, entry, uids)) continue;
    left.delete(dn);
  }
  for (const dn of left) all.left.push(leftClause(changes.get(dn)!, slug));
}

/** Neither gone, nor there by hand, nor another one under the same name. */
const isEdit = (changes: readonly Change[]): boolean => !changes.some((one) => 'delete' in one || 'add' in one);

function leftClause(changes: readonly Change[], slug: string): string {
  const [{ dn }] = changes as [Change];
  const [gone, comes] = [changes.some((one) => 'delete' in one), changes.some((one) => 'add' in one)];
  if (gone && comes) return `${dn} has another entryUUID: the next apply puts back the one that was applied`;
  if (gone) return `${dn}: ${REMOVED}`;
  if (comes) return `${dn} is missing: the next apply adds it; delete or disable it in ${slug} if it is to stay away`;
  return `${dn} was changed: it follows from what is saved, and the next apply writes it again`;
}

export const namesIn = (changes: readonly Change[]): string[] => [
  ...new Set(
    changes.flatMap((one) =>
      'replace' in one ? Object.keys(one.replace) : 'unlock' in one ? [LOCKED] : ['userPassword'],
    ),
  ),
];

function changedUser(all: RowsFound, named: Named, entry: Entry, changes: readonly Change[]): void {
  const { draft, faults, left } = userMembers(entry, namesIn(changes));
  all.left.push(...left.map((clause) => `${subjectOf(named)}: ${clause}`));
  const valid = v.safeParse(users.schemas.update, draft);
  const wrong = valid.success ? faults : [...faults, ...wordsOf(valid.issues)];
  all.refusals.push(...wrong.map((reason) => blocker(named, reason)));
  if (wrong.length === 0 && Object.keys(draft).length > 0)
    all.rows.push(changedRow(named, users, () => valid.output as Draft));
}

/** Whether it can be a user; else it is left. */
function addedUser(all: RowsFound, { slug, suffix }: OrganizationEntries, entry: Entry): boolean {
  const uid = nameIn(entry.dn, 'uid', peopleOf(suffix));
  const { objectClass = [], entryUUID: [entry_uuid = ''] = [] } = entry.attributes;
  if (uid === null || !ACCOUNT_NAME.test(uid) || !UUID.test(entry_uuid) || !objectClass.includes('inetOrgPerson'))
    return false;
  const { draft, faults } = userMembers(entry, userAttributes(entry));
  const valid = v.safeParse(users.schemas.create, { organization_id: 'any', uid, ...draft });
  if (faults.length > 0 || !valid.success) return false;
  const named: Named = { kind: 'user', slug, name: uid };
  all.rows.push(newRow(named, users, { ...(valid.output as Draft), entry_uuid }));
  if (entry.attributes.userPassword)
    all.left.push(`${subjectOf(named)}: its password is not taken over; set one here before it is applied`);
  return true;
}

interface GroupChange {
  group: OrganizationEntries['groups'][number];
  entry: Entry;
  each: readonly Change[];
  /** Names of users that are there, or are adopted. */
  uids: ReadonlySet<string>;
}

function membersOf(all: RowsFound, { organization }: Tree, named: Named, entry: Entry, uids: ReadonlySet<string>) {
  const known = new Map(organization.groups.map(({ name }) => [name.toLowerCase(), name]));
  const members = membersIn(entry.attributes.uniqueMember ?? [], organization.suffix, known);
  const strangers = members.users.filter((uid) => !uids.has(uid)).map((uid) => userDn(uid, organization.suffix));
  for (const dn of [...strangers, ...members.strange])
    all.left.push(`${subjectOf(named)}: its member ${dn} is none of ${named.slug}; the next apply takes it out`);
  return { users: members.users.filter((uid) => uids.has(uid)), groups: members.groups };
}

function changedGroup(all: RowsFound, tree: Tree, { group, entry, each, uids }: GroupChange): void {
  const named: Named = { kind: 'group', slug: tree.organization.slug, name: group.name };
  const names = namesIn(each);
  for (const name of names.filter((one) => one !== 'uniqueMember'))
    all.left.push(`${subjectOf(named)}: it has ${name} by hand, which the next apply sets again`);
  if (!names.includes('uniqueMember')) return;
  const now = membersOf(all, tree, named, entry, uids);
  // By difference: what else is saved and not applied stays, and so do groups in it that are disabled.
  const moved = (saved: readonly string[], before: readonly string[], after: readonly string[]) => [
    ...saved.filter((name) => after.includes(name) || !before.includes(name)),
    ...after.filter((name) => !before.includes(name) && !saved.includes(name)),
  ];
  all.rows.push(
    changedRow(named, groups, ({ member_users, member_groups }) => ({
      member_users: moved(member_users, group.users, now.users),
      member_groups: moved(member_groups, group.groups, now.groups),
    })),
  );
}

/** Whether it can be a group; else it is left. */
function addedGroup(all: RowsFound, tree: Tree, entry: Entry, uids: ReadonlySet<string>): boolean {
  const { slug, suffix } = tree.organization;
  const name = nameIn(entry.dn, 'cn', groupsOf(suffix));
  const { objectClass = [], entryUUID: [entry_uuid = ''] = [] } = entry.attributes;
  if (name === null || !GROUP_NAME.test(name) || !UUID.test(entry_uuid) || !objectClass.includes('groupOfUniqueNames'))
    return false;
  const named: Named = { kind: 'group', slug, name };
  const members = membersOf(all, tree, named, entry, uids);
  all.rows.push(
    newRow(named, groups, { name, member_users: members.users, member_groups: members.groups, entry_uuid }),
  );
  return true;
}

/** What may become of an entry that nobody applied: `user eve of lab`; null: it can only go. */
export function adoptableAs(dn: string, { slug, suffix }: Pick<OrganizationEntries, 'slug' | 'suffix'>): string | null {
  const [uid, name] = [nameIn(dn, 'uid', peopleOf(suffix)), nameIn(dn, 'cn', groupsOf(suffix))];
  if (uid !== null && ACCOUNT_NAME.test(uid)) return `user ${uid} of ${slug}`;
  return name !== null && GROUP_NAME.test(name) ? `group ${name} of ${slug}` : null;
}
