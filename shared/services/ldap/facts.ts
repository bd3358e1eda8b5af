// The directory as facts: what a plan compares. Nothing of a password is among them but the mark that tells one from another.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import { type LdapDesired, listenersOf, placeOf } from './desired.ts';
import type { DesiredOrganization, DesiredUser } from './desired-organizations.ts';

export type LdapFacts = {
  enabled: boolean;
  /** By interface: URLs. */
  listen: string[];
  /** Empty: none. */
  hostname: string;
  plain_bind: boolean;
  policy: { max_failures: number; lockout_minutes: number; max_age_days: number };
  /** SHA-256 of the root certificate; null: there is none. */
  authority: string | null;
  certificate: { sha256: string; not_after: string };
  /** By short name: the suffix. */
  organization: string;
  /** By short name and name, as the others. */
  user: {
    name: string;
    kind: 'person' | 'service';
    mail: string;
    telephone: string;
    uuid: string;
    enabled: boolean;
    given_name: string;
    surname: string;
  };
  user_password: string;
  group: { users: string[]; groups: string[]; uuid: string };
  bind_account: { uuid: string };
  bind_password: string;
};

export const ldap = factsOf<LdapFacts>();

export function facts(desired: LdapDesired): Facts {
  const { settings, organizations, authority, certificate } = desired;
  const { facts: found, add } = ldap.list();
  add('enabled', settings.enabled);
  if (!settings.enabled) return found;
  for (const { name } of desired.listen) {
    const at = listenersOf(desired).filter((url) => url.interface === name);
    add('listen', at.map(placeOf), name);
  }
  add('hostname', settings.hostname);
  add('plain_bind', settings.allow_plain_bind);
  add('policy', {
    max_failures: settings.password_max_failures,
    lockout_minutes: settings.password_lockout_minutes,
    max_age_days: settings.password_max_age_days,
  });
  add('authority', authority?.sha256 ?? null);
  if (certificate) add('certificate', { sha256: certificate.sha256, not_after: certificate.not_after });
  for (const organization of organizations) for (const [key, value] of entriesOf(organization)) found.set(key, value);
  return found;
}

/** Of an organisation that is the same object nothing differs. */
const made = new WeakMap<DesiredOrganization, Facts>();

function entriesOf(organization: DesiredOrganization): Facts {
  const known = made.get(organization) ?? makeEntries(organization);
  made.set(organization, known);
  return known;
}

function makeEntries({ slug, suffix, users, groups, accounts }: DesiredOrganization): Facts {
  const { facts: found, add } = ldap.list();
  add('organization', suffix, slug);
  for (const user of users) {
    const name = `${slug}/${user.uid}`;
    add('user', userFact(user), name);
    if (user.mark !== '') add('user_password', user.mark, name);
  }
  for (const { name, users: members, groups: held, entry_uuid } of groups)
    add('group', { users: members, groups: held, uuid: entry_uuid }, `${slug}/${name}`);
  for (const { name, entry_uuid, mark } of accounts) {
    add('bind_account', { uuid: entry_uuid }, `${slug}/${name}`);
    if (mark !== '') add('bind_password', mark, `${slug}/${name}`);
  }
  return found;
}

const userFacts = new WeakMap<DesiredUser, LdapFacts['user']>();

/** The same object for the same user: whoever compares needs no look into it. */
function userFact(user: DesiredUser): LdapFacts['user'] {
  const known = userFacts.get(user);
  if (known) return known;
  const { display_name, entry_uuid, kind, mail, telephone, enabled, given_name, surname } = user;
  const fact = { name: display_name, kind, mail, telephone, uuid: entry_uuid, enabled, given_name, surname };
  userFacts.set(user, fact);
  return fact;
}

export const follows = ({ kind }: Difference): boolean => kind === 'listen';
