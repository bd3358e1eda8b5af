// People of the directory who sign in somewhere else than by LDAP: the same entries, the same password, and the same lock. The
// password is given to slapd over its own socket, so that failures are counted in one place.
import { connect } from 'node:net';
import type { Host } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';
import { type OrganizationEntries, readEntries } from './entries.ts';
import { SOCKET } from './files.ts';
import { DirectoryFault } from './follow/socket.ts';
import { userDn } from './follow/wanted.ts';
import { bindAskingWhy, type LdapAnswer, nextAnswer } from './ldap-message.ts';
import { ACCOUNT_NAME } from './names.ts';
import { mailDomain } from './organizations.ts';
import { argon2idHash } from './password-hash.ts';

export interface DirectoryPerson {
  entry_uuid: string;
  dn: string;
  uid: string;
  display_name: string;
  given_name: string;
  surname: string;
  mail: string;
  /** `uid@domain` */
  upn: string;
  /** By name; also those that hold a group of the person. */
  groups: string[];
}

/** Whether there is an enabled organization with this short name. */
export const isOrganization = async (db: Database, slug: string): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM ldap_organization WHERE slug = ? AND enabled = 1', [slug])) !== undefined;

/** Short names of enabled organizations. */
export async function organizationSlugs(db: Database): Promise<string[]> {
  const rows = await db.all<{ slug: string }>('SELECT slug FROM ldap_organization WHERE enabled = 1 ORDER BY slug');
  return rows.map(({ slug }) => slug);
}

type Asked = { uid: string } | { entry_uuid: string };

/**
 * As applied: what the directory itself says. Who was disabled or deleted since is out at once, without an apply. Null: there is
 * none.
 * @throws Error when the applied entries are damaged
 */
export async function directoryPerson(
  host: Pick<Host, 'read'>,
  db: Database,
  slug: string,
  asked: Asked,
): Promise<DirectoryPerson | null> {
  const applied = await readEntries(host);
  const organization = applied?.entries.organizations.find((each) => each.slug === slug);
  const user = organization?.users.find((each) =>
    'uid' in asked ? each.uid === asked.uid : each.entry_uuid === asked.entry_uuid,
  );
  if (!organization || !user?.enabled) return null;
  const saved = await db.one(
    `SELECT 1 AS yes FROM ldap_user JOIN ldap_organization AS o ON o.id = organization_id
      WHERE entry_uuid = ? AND ldap_user.enabled = 1 AND o.enabled = 1`,
    [user.entry_uuid],
  );
  if (!saved) return null;
  const { uid, entry_uuid, display_name, given_name, surname, mail } = user;
  const dn = userDn(uid, organization.suffix);
  const upn = `${uid}@${mailDomain(organization)}`;
  const groups = groupsOf(organization, uid);
  return { entry_uuid, dn, uid, display_name, given_name, surname, mail, upn, groups };
}

/** Pure: groups of a user, and the groups that hold those. */
export function groupsOf({ groups }: Pick<OrganizationEntries, 'groups'>, uid: string): string[] {
  const found = new Set<string>();
  const open = groups.filter(({ users }) => users.includes(uid)).map(({ name }) => name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const holder of groups) if (holder.groups.includes(name)) open.push(holder.name);
  }
  return [...found].sort();
}

/** What can be the name of a user: nothing else becomes part of a distinguished name. */
export const isAccountName = (text: string): boolean => ACCOUNT_NAME.test(text);

const WAIT_MS = 5_000;
/** Result codes of RFC 4511, appendix A.1, that refuse the person and not the question. */
const REFUSED = new Set([49, 53, 19, 50]);

/**
 * Whether slapd takes the password. False as well for an account that is locked.
 * @throws DirectoryFault when slapd does not answer
 */
export async function bindsAs(host: Pick<Host, 'resolve'>, dn: string, password: string): Promise<boolean> {
  return (await boundAs(host, dn, password)) === 'right';
}

/** `expired`: the password is right, and opens nothing but the way to another one. */
export type Bound = 'right' | 'expired' | 'wrong';

/** Of the password policy: slapd says it only to who knows the password. */
const EXPIRED = 0;

/** As `bindsAs`, with why. @throws DirectoryFault when slapd does not answer */
export async function boundAs(host: Pick<Host, 'resolve'>, dn: string, password: string): Promise<Bound> {
  // Without a password it would be a bind as nobody, which succeeds (RFC 4513, 5.1.2).
  if (password === '') return 'wrong';
  const { code, policy } = await bindAnswer(host, dn, password);
  if (code === 0) return 'right';
  return policy === EXPIRED ? 'expired' : 'wrong';
}

function bindAnswer(host: Pick<Host, 'resolve'>, dn: string, password: string): Promise<LdapAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(host.resolve(SOCKET));
    let bytes: Buffer = Buffer.alloc(0);
    const fail = () => {
      socket.destroy();
      reject(new DirectoryFault('The directory does not answer at the moment.'));
    };
    socket.setTimeout(WAIT_MS, fail);
    socket.on('error', fail);
    socket.on('close', fail);
    socket.on('connect', () => socket.write(bindAskingWhy(1, dn, password)));
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        const answer = nextAnswer(bytes)?.answer;
        if (answer === undefined) return;
        if (answer.code !== 0 && !REFUSED.has(answer.code ?? -1)) return fail();
        resolve(answer);
        socket.destroy();
      } catch {
        fail();
      }
    });
  });
}

/** In no tree: slapd refuses it as it refuses a wrong password, and has no hash to compare with. */
const NOBODY = 'cn=nobody';

/**
 * The work of a refused bind for a name that nobody has: one question to slapd, and one hash with the cost of its own. So how long
 * a refusal takes tells no names, nor does what is said while slapd is down. Always false.
 * @throws DirectoryFault when slapd does not answer
 */
export async function bindsAsNobody(host: Pick<Host, 'resolve'>, password: string): Promise<false> {
  await bindsAs(host, NOBODY, password);
  await argon2idHash(password);
  return false;
}
