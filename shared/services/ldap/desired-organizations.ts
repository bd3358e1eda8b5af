// The organisations that are served, as they are saved. They are read anew only where something of the directory was saved
// since, and a row that is the same is the same object again: what is made of each (its text, its fact, its entry) is made once.
import type { Database } from '../../ground/store/database.ts';
import { desiredVersionOf } from '../../platform/applied/unit-state.ts';
import { type Data, sameData } from '../../platform/units/facts.ts';
import { mailDomain } from './organizations.ts';

export interface DesiredUser {
  uid: string;
  kind: 'person' | 'service';
  given_name: string;
  surname: string;
  display_name: string;
  mail: string;
  telephone: string;
  entry_uuid: string;
  enabled: boolean;
  /** Of its password; empty: it has none. */
  mark: string;
}
export interface DesiredGroup {
  name: string;
  entry_uuid: string;
  users: string[];
  groups: string[];
}
export interface DesiredAccount {
  name: string;
  entry_uuid: string;
  /** Of its password; empty: it has none. */
  mark: string;
}

/** Enabled ones alone, with what is in their trees. */
export interface DesiredOrganization {
  slug: string;
  suffix: string;
  users: DesiredUser[];
  groups: DesiredGroup[];
  accounts: DesiredAccount[];
}

type Owned<Row> = Row & { organization_id: string };
type Yes = 0 | 1;

/** The version grows with each change of what is read here (the triggers of migrations 21 and 30). */
const ORGANIZATIONS = `SELECT id, slug, suffix, ${desiredVersionOf('ldap')} AS version
  FROM ldap_organization WHERE enabled = 1 ORDER BY slug`;
const IN_ENABLED = 'organization_id IN (SELECT id FROM ldap_organization WHERE enabled = 1)';
const USERS = `SELECT organization_id, uid, kind, given_name, surname, display_name, mail, telephone, entry_uuid, enabled,
    coalesce(mark, '') AS mark
  FROM ldap_user LEFT JOIN ldap_password ON user_id = ldap_user.id WHERE ${IN_ENABLED} ORDER BY uid`;
const GROUPS = `SELECT organization_id, name, member_users, member_groups, entry_uuid
  FROM ldap_group WHERE enabled = 1 AND ${IN_ENABLED} ORDER BY name`;
const ACCOUNTS = `SELECT organization_id, name, entry_uuid, coalesce(mark, '') AS mark
  FROM ldap_bind_account LEFT JOIN ldap_password ON account_id = ldap_bind_account.id
  WHERE enabled = 1 AND ${IN_ENABLED} ORDER BY name`;

interface OrganizationRow {
  id: string;
  slug: string;
  suffix: string;
  version: number;
}

interface Known {
  version: number;
  organizations: DesiredOrganization[];
}

/** Of a store, whose committed versions never come again; of a transaction by itself, which may be rolled back. */
const known = new WeakMap<Database, Known>();

/** One statement where nothing was saved since the last time, else four. Nobody changes what it is given. */
export async function organizationsOf(db: Database): Promise<DesiredOrganization[]> {
  const rows = await db.all<OrganizationRow>(ORGANIZATIONS);
  const [first] = rows;
  if (first === undefined) return [];
  const found = known.get(db);
  if (found?.version === first.version) return found.organizations;
  const organizations = await read(db, rows);
  known.set(db, { version: first.version, organizations });
  return organizations;
}

const byOrganization = <Row extends { organization_id: string }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ organization_id }) => organization_id);

async function read(db: Database, all: readonly OrganizationRow[]): Promise<DesiredOrganization[]> {
  const users = byOrganization(await db.all<Owned<Omit<DesiredUser, 'enabled'> & { enabled: Yes }>>(USERS));
  const groups = byOrganization(
    await db.all<Owned<{ name: string; entry_uuid: string; member_users: string; member_groups: string }>>(GROUPS),
  );
  const accounts = byOrganization(await db.all<Owned<DesiredAccount>>(ACCOUNTS));
  const same = new Sameness();
  const organizations = all.map(({ id, slug, suffix }): DesiredOrganization => {
    const held = groups.get(id) ?? [];
    // A member that is disabled has no entry that a name could lead to.
    const there = new Set(held.map(({ name }) => name));
    const domain = mailDomain({ slug, suffix });
    return same.one(`organization ${id}`, {
      slug,
      suffix,
      users: same.list(
        `users ${id}`,
        (users.get(id) ?? []).map(({ organization_id: _, enabled, ...user }) =>
          same.one(`user ${id} ${user.uid}`, filled({ ...user, enabled: enabled === 1 }, domain)),
        ),
      ),
      groups: same.list(
        `groups ${id}`,
        held.map(({ name, entry_uuid, member_users, member_groups }) =>
          same.one(`group ${id} ${name}`, {
            name,
            entry_uuid,
            users: JSON.parse(member_users) as string[],
            groups: (JSON.parse(member_groups) as string[]).filter((member) => there.has(member)),
          }),
        ),
      ),
      accounts: same.list(
        `accounts ${id}`,
        (accounts.get(id) ?? []).map(({ organization_id: _, ...account }) =>
          same.one(`account ${id} ${account.name}`, account),
        ),
      ),
    });
  });
  same.end();
  return organizations;
}

/** Clients leave users out that lack an attribute which they map. */
function filled(user: DesiredUser, domain: string): DesiredUser {
  const given_name = user.given_name || user.surname;
  return {
    ...user,
    given_name,
    display_name: user.display_name || [...new Set([given_name, user.surname])].join(' '),
    mail: user.mail || `${user.uid}@${domain}`,
    telephone: user.telephone || '555-0100',
  };
}

/** What all were made into when they were read last. */
let last: ReadonlyMap<string, object> = new Map();

class Sameness {
  readonly #made = new Map<string, object>();

  /** The object of the last time, where the one that was made now says the same. */
  one<T extends object>(key: string, made: T): T {
    const before = last.get(key) as T | undefined;
    const one = before !== undefined && sameData(before as Data, made as Data) ? before : made;
    this.#made.set(key, one);
    return one;
  }

  /** The list of the last time, where all members are the same objects. */
  list<T extends object>(key: string, made: T[]): T[] {
    const before = last.get(key) as T[] | undefined;
    const same = before?.length === made.length && made.every((one, at) => one === before[at]);
    const list = same ? before : made;
    this.#made.set(key, list);
    return list;
  }

  end(): void {
    last = this.#made;
  }
}
