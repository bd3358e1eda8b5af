// The directory as facts: what a plan compares. Nothing of a password is among them but the mark that tells one from another.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import { type LdapDesired, listenersOf, placeOf } from './desired.ts';

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
  for (const organization of organizations) addEntries(add, organization);
  return found;
}

function addEntries(
  add: ReturnType<typeof ldap.list>['add'],
  { slug, suffix, users, groups, accounts }: LdapDesired['organizations'][number],
): void {
  add('organization', suffix, slug);
  for (const { uid, display_name, entry_uuid, mark, kind, mail, telephone, enabled, given_name, surname } of users) {
    const name = `${slug}/${uid}`;
    add('user', { name: display_name, kind, mail, telephone, uuid: entry_uuid, enabled, given_name, surname }, name);
    if (mark !== '') add('user_password', mark, name);
  }
  for (const { name, users: members, groups: held, entry_uuid } of groups)
    add('group', { users: members, groups: held, uuid: entry_uuid }, `${slug}/${name}`);
  for (const { name, entry_uuid, mark } of accounts) {
    add('bind_account', { uuid: entry_uuid }, `${slug}/${name}`);
    if (mark !== '') add('bind_password', mark, `${slug}/${name}`);
  }
}

export const follows = ({ kind }: Difference): boolean => kind === 'listen';
