// A person of the directory changes the own password. slapd is asked with the former one first, over its own socket, so that
// failures, locks and age are counted in one place; history and quality are looked at here, since slapd is given hashes alone.
// The new hash is saved before slapd has it: whatever is cut off, the follower brings the saved one, and until then the former
// one opens. Nobody is given the right to write a password over LDAP: it would be kept by nothing but slapd, under a weaker
// hash.

import type { Host } from '../../ground/machine/host.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { type AppliedEntries, readEntries } from './entries.ts';
import { DirectoryFault } from './follow/socket.ts';
import { userDn } from './follow/wanted.ts';
import { mailDomain } from './organizations.ts';
import { type Bound, bindsAsNobody, boundAs, isAccountName } from './signing-in.ts';

/** Whom a name means, whether there is such a user or not. */
export interface Meant {
  /** Short name of the organization. */
  slug: string;
  suffix: string;
  /** In lower case. */
  uid: string;
}

/**
 * Pure: `ada@lab.example` by the domain of its organization, `ada@lab` by its short name, and `ada` alone where there is one
 * organization. Null: it can be nobody's.
 */
export function meantBy({ entries }: Pick<AppliedEntries, 'entries'>, typed: string): Meant | null {
  const [uid = '', ...rest] = typed.trim().toLowerCase().split('@');
  const domain = rest.join('@');
  const { organizations } = entries;
  const found =
    domain === ''
      ? organizations.filter(() => organizations.length === 1)
      : organizations.filter((one) => mailDomain(one) === domain || one.slug === domain);
  const [one] = found;
  if (!one || found.length > 1 || !isAccountName(uid)) return null;
  return { slug: one.slug, suffix: one.suffix, uid };
}

export interface OwnAccount extends Meant {
  user_id: string;
  /** Also the person’s `sub` at the OpenID Connect provider. */
  entry_uuid: string;
  dn: string;
  /** Of the password in force; another one is saved where it differs from the applied one. */
  mark: string;
  applied_mark: string;
}

/** As applied, and not disabled or deleted since; null: nobody, or somebody without a password. */
export async function accountMeant(
  db: Database,
  { entries }: Pick<AppliedEntries, 'entries'>,
  meant: Meant | null,
): Promise<OwnAccount | null> {
  const organization = meant && entries.organizations.find(({ slug }) => slug === meant.slug);
  const user = organization?.users.find(({ uid }) => uid.toLowerCase() === meant?.uid);
  if (!meant || !organization || !user?.enabled || user.mark === '') return null;
  const row = await db.one<{ user_id: string; mark: string }>(
    `SELECT user_id, mark FROM ldap_password JOIN ldap_user ON ldap_user.id = user_id
      JOIN ldap_organization AS o ON o.id = organization_id WHERE entry_uuid = ? AND ldap_user.enabled = 1 AND o.enabled = 1`,
    [user.entry_uuid],
  );
  if (!row) return null;
  const { entry_uuid, mark: applied_mark } = user;
  return { ...meant, ...row, entry_uuid, dn: userDn(user.uid, organization.suffix), applied_mark };
}

/**
 * Whether slapd takes the former password, also where nothing but its age is against it. For nobody as much is worked out as
 * slapd works out for somebody.
 * @throws Problem 409 when slapd does not answer
 */
export async function knowsPassword(
  host: Pick<Host, 'resolve'>,
  account: OwnAccount | null,
  password: string,
): Promise<Exclude<Bound, 'wrong'> | null> {
  try {
    if (account === null) {
      await bindsAsNobody(host, password);
      return null;
    }
    const bound = await boundAs(host, account.dn, password);
    return bound === 'wrong' ? null : bound;
  } catch (error) {
    throw error instanceof DirectoryFault ? new Problem('state_conflict', error.message) : error;
  }
}

/**
 * What an administrator has set, and nobody applied yet, is not taken back by who knows the former one.
 * @throws Problem 409
 */
export function requireInForce({ mark, applied_mark }: OwnAccount): void {
  if (mark !== applied_mark)
    throw new Problem(
      'state_conflict',
      'An administrator has set another password for you. It is accepted after the next apply; change it then.',
    );
}

/** The applied entries; null while the directory is off, was never applied, or only rehearsed. */
export const directoryApplied = async (host: Pick<Host, 'read' | 'enforces'>): Promise<AppliedEntries | null> =>
  host.enforces ? readEntries(host) : null;
