// What the tree of an organisation is to hold, entry by entry, parents first. Pure.
import type { Entries, OrganizationEntries } from '../entries.ts';
import type { Attributes, Entry } from './ldif.ts';

export interface WantedEntry extends Entry {
  /** entryUUID; where none is wanted, slapd makes one. */
  uuid?: string;
  /** Of the password that it is to have; empty: none. Left out: it has none ever. */
  mark?: string;
  /** Whether it may not sign in; left out: it never does. */
  disabled?: boolean;
}

export const systemOf = (suffix: string): string => `ou=system,${suffix}`;
export const peopleOf = (suffix: string): string => `ou=people,${suffix}`;
export const groupsOf = (suffix: string): string => `ou=groups,${suffix}`;
/** Whose password is the digest of the applied entries: who binds with it knows that they are there. */
export const appliedOf = (suffix: string): string => `cn=applied,${systemOf(suffix)}`;
export const userDn = (uid: string, suffix: string): string => `uid=${uid},${peopleOf(suffix)}`;
export const accountDn = (name: string, suffix: string): string => `cn=${name},${systemOf(suffix)}`;
export const groupDn = (name: string, suffix: string): string => `cn=${name},${groupsOf(suffix)}`;
const policyDn = (name: string, suffix: string): string => `cn=${name},${systemOf(suffix)}`;
/** Of whoever has no policy of his own. */
export const passwordPolicyOf = (suffix: string): string => policyDn('password-policy', suffix);
/** Of bind accounts. */
export const accountPolicyOf = (suffix: string): string => policyDn('account-policy', suffix);

/** A group has at least one member (RFC 4519, 3.6): this is nobody. */
const NOBODY = 'nobody';

function top({ slug, suffix }: OrganizationEntries): WantedEntry {
  const [type = '', value = ''] = suffix.slice(0, `${suffix},`.indexOf(',')).split('=');
  const kinds: Readonly<Record<string, Attributes>> = {
    dc: { objectClass: ['organization', 'dcObject'], o: [slug], dc: [value] },
    o: { objectClass: ['organization'], o: [value] },
    ou: { objectClass: ['organizationalUnit'], ou: [value] },
  };
  return { dn: suffix, attributes: kinds[type]! };
}

const unit = (name: string, suffix: string): WantedEntry => ({
  dn: `ou=${name},${suffix}`,
  attributes: { objectClass: ['organizationalUnit'], ou: [name] },
});

type Policy = Entries['policy'];

/** draft-behera-ldap-password-policy; hashes alone reach slapd, so that quality and history are looked at before. */
const policy = (
  name: string,
  suffix: string,
  { max_failures, lockout_seconds, max_age_seconds }: Policy,
): WantedEntry => ({
  dn: policyDn(name, suffix),
  attributes: {
    objectClass: ['organizationalRole', 'pwdPolicy'],
    cn: [name],
    pwdAttribute: ['userPassword'],
    // Always, or slapd looks at no lock at all and disabled users sign in. No failures lock where the next one is 0.
    pwdLockout: ['TRUE'],
    pwdMaxFailure: [`${max_failures}`],
    pwdLockoutDuration: [`${lockout_seconds}`],
    pwdMaxAge: [`${max_age_seconds}`],
  },
});

const follows = (name: string, suffix: string): Attributes => ({ pwdPolicySubentry: [policyDn(name, suffix)] });

const group = (dn: string, name: string, members: readonly string[], suffix: string): WantedEntry => ({
  dn,
  attributes: {
    objectClass: ['groupOfUniqueNames', 'groundcrewEntry'],
    cn: [name],
    uniqueMember: members.length > 0 ? members : [accountDn(NOBODY, suffix)],
  },
});

const user = (one: OrganizationEntries['users'][number], suffix: string): WantedEntry => ({
  dn: userDn(one.uid, suffix),
  uuid: one.entry_uuid,
  mark: one.mark,
  disabled: !one.enabled,
  attributes: {
    objectClass: ['inetOrgPerson', 'groundcrewEntry'],
    uid: [one.uid],
    cn: [one.display_name],
    sn: [one.surname],
    givenName: [one.given_name],
    displayName: [one.display_name],
    mail: [one.mail],
    telephoneNumber: [one.telephone],
    employeeType: [one.kind === 'service' ? 'serviceAccount' : 'person'],
  },
});

const account = ({ name, entry_uuid, mark }: OrganizationEntries['accounts'][number], suffix: string): WantedEntry => ({
  dn: accountDn(name, suffix),
  uuid: entry_uuid,
  mark,
  attributes: {
    objectClass: ['organizationalRole', 'groundcrewEntry'],
    cn: [name],
    ...follows('account-policy', suffix),
  },
});

/** Groups that hold a name, directly or through groups: DN in lower case → DNs, in order. There is no circle. */
function holdersIn(wanted: readonly WantedEntry[]): (dn: string) => string[] {
  const direct = new Map<string, string[]>();
  for (const { dn, attributes } of wanted)
    for (const member of attributes.uniqueMember ?? []) {
      const key = member.toLowerCase();
      const known = direct.get(key);
      if (known) known.push(dn);
      else direct.set(key, [dn]);
    }
  return (dn) => {
    const found = new Set<string>();
    const open = [dn];
    for (let name = open.pop(); name !== undefined; name = open.pop())
      for (const holder of direct.get(name.toLowerCase()) ?? []) {
        if (found.has(holder)) continue;
        found.add(holder);
        open.push(holder);
      }
    return [...found].sort();
  };
}

/** By organization as it was read, which nobody changes: the look for drift and the follower want the same. */
const made = new WeakMap<OrganizationEntries, { policies: Policy; digest: string; wanted: readonly WantedEntry[] }>();

/** `digest`: of all applied entries. The entry that tells of it is the last one. */
export function wantedEntries(
  organization: OrganizationEntries,
  policies: Policy,
  digest: string,
): readonly WantedEntry[] {
  const known = made.get(organization);
  if (known?.policies === policies && known.digest === digest) return known.wanted;
  const wanted = makeEntries(organization, policies, digest);
  made.set(organization, { policies, digest, wanted });
  return wanted;
}

type Group = OrganizationEntries['groups'][number];
type User = OrganizationEntries['users'][number];

const groupEntry = ({ name, entry_uuid, users: uids, groups: names }: Group, suffix: string): WantedEntry => ({
  ...group(
    groupDn(name, suffix),
    name,
    [...uids.map((uid) => userDn(uid, suffix)), ...names.map((member) => groupDn(member, suffix))],
    suffix,
  ),
  uuid: entry_uuid,
});

const readers = (suffix: string, accounts: OrganizationEntries['accounts']): WantedEntry =>
  group(
    accountDn('readers', suffix),
    'readers',
    accounts.map(({ name }) => accountDn(name, suffix)),
    suffix,
  );

/** What follows from groups and accounts, which change less often than users do. */
interface Held {
  suffix: string;
  accounts: OrganizationEntries['accounts'];
  /** With memberOf, through groups in groups: written down, since slapd would work it out with each search. */
  withGroups(entry: WantedEntry): WantedEntry;
  groups: WantedEntry[];
  /** Of each user, as it was made with these groups. */
  users: WeakMap<User, WantedEntry>;
}

/** By the list of groups: it is the same object while no group changed. */
const heldBy = new WeakMap<readonly Group[], Held>();

function heldIn({ suffix, groups, accounts }: OrganizationEntries): Held {
  const known = heldBy.get(groups);
  if (known?.suffix === suffix && known.accounts === accounts) return known;
  const all = groups.map((one) => groupEntry(one, suffix));
  const holders = holdersIn([...all, readers(suffix, accounts)]);
  const withGroups = (entry: WantedEntry): WantedEntry => {
    const memberOf = holders(entry.dn);
    return memberOf.length === 0 ? entry : { ...entry, attributes: { ...entry.attributes, memberOf } };
  };
  const held = { suffix, accounts, withGroups, groups: all.map(withGroups), users: new WeakMap() };
  heldBy.set(groups, held);
  return held;
}

function userEntry(one: User, { suffix, users, withGroups }: Held): WantedEntry {
  const known = users.get(one) ?? withGroups(user(one, suffix));
  users.set(one, known);
  return known;
}

function makeEntries(organization: OrganizationEntries, policies: Policy, digest: string): WantedEntry[] {
  const { suffix, users, accounts } = organization;
  const held = heldIn(organization);
  return [
    top(organization),
    ...['system', 'people', 'groups'].map((name) => unit(name, suffix)),
    policy('password-policy', suffix, policies),
    policy('account-policy', suffix, { ...policies, max_age_seconds: 0 }),
    policy('probe-policy', suffix, { max_failures: 0, lockout_seconds: 0, max_age_seconds: 0 }),
    ...users.map((one) => userEntry(one, held)),
    ...held.groups,
    ...accounts.map((one) => held.withGroups(account(one, suffix))),
    readers(suffix, accounts),
    {
      dn: appliedOf(suffix),
      mark: digest,
      attributes: {
        objectClass: ['organizationalRole', 'groundcrewEntry'],
        cn: ['applied'],
        description: [digest],
        ...follows('probe-policy', suffix),
      },
    },
  ];
}
