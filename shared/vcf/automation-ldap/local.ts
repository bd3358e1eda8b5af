// The directory of this appliance as the task needs it: in force, over LDAPS, with an account to bind as and a group with a
// user in it; or everything that is missing.
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';
import { directoryInForce } from '../../services/ldap/clients/in-force.ts';
import { type OrganizationEntries, readEntries } from '../../services/ldap/entries.ts';
import { accountDn, groupsOf, peopleOf } from '../../services/ldap/follow/wanted.ts';
import type { DirectoryWish } from '../automation-api/ldap.ts';

export interface Missing {
  text: string;
  page: string;
  link: string;
}

export interface DirectoryHere {
  /** Where LDAPS is answered, by the name of its certificate where that has one. */
  host: string;
  port: number;
  root: { pem: string; sha256: string };
  /** Those with an account that has a password, and a group with a user who has one. */
  organizations: OrganizationEntries[];
}

type Shell = Pick<Services, 'store' | 'host'>;

const LINKS = {
  settings: { page: pagePath('ldap-settings'), link: 'Open the settings of the directory' },
  accounts: { page: pagePath('ldap-bind-accounts'), link: 'Open the bind accounts' },
  groups: { page: pagePath('ldap-groups'), link: 'Open the groups' },
  authority: { page: pagePath('certificate-authority'), link: 'Open the certificate authority' },
};

export const accountsOf = ({ accounts }: OrganizationEntries) => accounts.filter(({ mark }) => mark !== '');

/** Users of a group and of the groups in it who can sign in; circles are refused when groups are saved. */
export function membersOf(organization: OrganizationEntries, name: string): string[] {
  const all = new Set<string>();
  const open = [name];
  for (let at = 0; at < open.length; at++) {
    const group = organization.groups.find((one) => one.name === open[at]);
    for (const uid of group?.users ?? []) all.add(uid);
    for (const inner of group?.groups ?? []) if (!open.includes(inner)) open.push(inner);
  }
  return organization.users
    .filter(({ uid, enabled, mark }) => enabled && mark !== '' && all.has(uid))
    .map(({ uid }) => uid);
}

const isUsable = (organization: OrganizationEntries): boolean =>
  accountsOf(organization).length > 0 &&
  organization.groups.some(({ name }) => membersOf(organization, name).length > 0);

/** One statement and three files. */
export async function directoryAvailability({
  store,
  host,
}: Shell): Promise<{ missing: Missing[]; here: DirectoryHere | null }> {
  // Damaged entries are served by nobody, like none.
  const applied = await readEntries(host).catch(() => null);
  const inForce = applied && (await directoryInForce(host));
  const root = await newestRoot(store);
  const server = inForce?.servers.find(({ scheme }) => scheme === 'ldaps');
  const all = applied?.entries.organizations ?? [];
  const missing: Missing[] = [];
  if (!root) missing.push({ text: 'There is no root certificate yet: create it.', ...LINKS.authority });
  if (!inForce)
    missing.push({
      text: 'The directory is not in force: switch it on, save the settings, and apply them.',
      ...LINKS.settings,
    });
  else {
    if (!server)
      missing.push({ text: 'The directory answers without LDAPS, which VCF Automation asks for.', ...LINKS.settings });
    if (!all.some((one) => accountsOf(one).length > 0))
      missing.push({ text: 'No bind account with a password is in force yet.', ...LINKS.accounts });
    else if (!all.some(isUsable))
      missing.push({ text: 'No group with a user who has a password is in force yet.', ...LINKS.groups });
  }
  if (missing.length > 0 || !server || !root) return { missing, here: null };
  const { certificate_pem: pem, sha256 } = root;
  const organizations = all.filter(isUsable);
  return { missing, here: { host: server.host, port: Number(server.port), root: { pem, sha256 }, organizations } };
}

/** @throws Problem 409 `state_conflict` whose blockers name each condition that is missing */
export async function requireDirectory(services: Shell): Promise<DirectoryHere> {
  const { missing, here } = await directoryAvailability(services);
  if (here) return here;
  const blockers = missing.map(({ text, page, link }) => ({
    ...{ subject: 'LDAP', reason: text, page, unblock: link },
  }));
  const detail = `The directory of this appliance can’t serve VCF Automation yet. ${missing.map(({ text }) => text).join(' ')}`;
  throw new Problem('state_conflict', detail, { blockers });
}

/** The organization of this name; undefined: it is gone, or can’t be used any more. */
export const organizationHere = ({ organizations }: DirectoryHere, slug: string): OrganizationEntries | undefined =>
  organizations.find((one) => one.slug === slug);

const USER = {
  ...{ objectClass: 'inetOrgPerson', objectIdentifier: 'entryUUID', userName: 'uid', email: 'mail' },
  ...{ displayName: 'displayName', givenName: 'givenName', surname: 'sn', telephone: 'telephoneNumber' },
  ...{ groupMembershipIdentifier: 'dn', groupBackLinkIdentifier: 'memberOf' },
};
const GROUP = {
  ...{ objectClass: 'groupOfUniqueNames', objectIdentifier: 'entryUUID', groupName: 'cn' },
  ...{ membership: 'uniqueMember', membershipIdentifier: 'dn', backLinkIdentifier: 'entryDN' },
};

/** `version`: of the API; service accounts are known since 9.1. */
export function wishOf({ host, port }: DirectoryHere, suffix: string, account: string, version: string): DirectoryWish {
  const service = version === '9.0.0' ? {} : { serviceAccount: 'employeeType' };
  return {
    ...{ host, port, search_base: peopleOf(suffix), group_search_base: groupsOf(suffix) },
    user_name: accountDn(account, suffix),
    ...{ user_attributes: { ...USER, ...service }, group_attributes: GROUP },
  };
}
