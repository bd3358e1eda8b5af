// Everybody of one organization who may sign in, as the directory says it that is in force: for what is told of all at once.
import type { Host } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';
import { type OrganizationEntries, readEntries } from './entries.ts';
import { userDn } from './follow/wanted.ts';
import { mailDomain } from './organizations.ts';
import type { DirectoryPerson } from './signing-in.ts';

export interface OrganizationPeople {
  people: DirectoryPerson[];
  groups: { name: string; entry_uuid: string }[];
  domain: string;
}

/**
 * As applied. Who was disabled or deleted since is left out at once, without an apply. Null: the directory is off, or has no
 * such organization in use.
 * @throws Error when the applied entries are damaged
 */
export async function organizationPeople(
  host: Pick<Host, 'read'>,
  db: Database,
  slug: string,
): Promise<OrganizationPeople | null> {
  const applied = await readEntries(host);
  const organization = applied?.entries.organizations.find((each) => each.slug === slug);
  if (!organization) return null;
  const saved = await db.all<{ entry_uuid: string | null }>(
    `SELECT entry_uuid FROM ldap_organization AS o LEFT JOIN ldap_user AS u ON u.organization_id = o.id AND u.enabled = 1
      WHERE o.slug = ? AND o.enabled = 1`,
    [slug],
  );
  if (saved.length === 0) return null;
  const may = new Set(saved.map(({ entry_uuid }) => entry_uuid));
  const held = groupsByUser(organization);
  const domain = mailDomain(organization);
  const people = organization.users.flatMap(({ uid, entry_uuid, display_name, given_name, surname, mail, enabled }) => {
    if (!enabled || !may.has(entry_uuid)) return [];
    const groups = held.get(uid) ?? [];
    const dn = userDn(uid, organization.suffix);
    return [{ entry_uuid, dn, uid, display_name, given_name, surname, mail, upn: `${uid}@${domain}`, groups }];
  });
  return { people, groups: organization.groups.map(({ name, entry_uuid }) => ({ name, entry_uuid })), domain };
}

/** Pure: by user, the groups and those that hold them, sorted. Circles are refused when groups are saved. */
export function groupsByUser({ groups }: Pick<OrganizationEntries, 'groups'>): Map<string, string[]> {
  const holders = new Map<string, string[]>();
  for (const { name, groups: inner } of groups)
    for (const each of inner) holders.set(each, [...(holders.get(each) ?? []), name]);
  const found = new Map<string, Set<string>>();
  for (const { name, users } of groups) {
    const all = new Set([name]);
    for (const each of all) for (const holder of holders.get(each) ?? []) all.add(holder);
    for (const uid of users) found.set(uid, new Set([...(found.get(uid) ?? []), ...all]));
  }
  return new Map([...found].map(([uid, names]) => [uid, [...names].sort()]));
}
