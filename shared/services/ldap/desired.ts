// Reads the desired state of the unit: nine statements, whatever it holds, and one while the directory is off.
import type { Database } from '../../ground/store/database.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';
import { type DaemonCertificate, daemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { listeningOn } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import { mailDomain } from './organizations.ts';
import { ldapSettings } from './settings.ts';

export type LdapSettings = (typeof ldapSettings)['defaults'];

/** An interface that the directory answers on. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses, IPv4 first. */
  addresses: string[];
}

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

export interface LdapDesired {
  settings: LdapSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  organizations: DesiredOrganization[];
  /** The root that clients have to trust; null while there is none. */
  authority: { pem: string; sha256: string } | null;
  /** What TLS is served with; null while it waits for its certificate. */
  certificate: DaemonCertificate | null;
}

export const LDAP_PURPOSE = 'ldap';

type Owned<Row> = Row & { organization_id: string };
type Yes = 0 | 1;

const ORGANIZATIONS = 'SELECT id, slug, suffix FROM ldap_organization WHERE enabled = 1 ORDER BY slug';
const IN_ENABLED = 'organization_id IN (SELECT id FROM ldap_organization WHERE enabled = 1)';
const USERS = `SELECT organization_id, uid, kind, given_name, surname, display_name, mail, telephone, entry_uuid, enabled,
    coalesce(mark, '') AS mark
  FROM ldap_user LEFT JOIN ldap_password ON user_id = ldap_user.id WHERE ${IN_ENABLED} ORDER BY uid`;
const GROUPS = `SELECT organization_id, name, member_users, member_groups, entry_uuid
  FROM ldap_group WHERE enabled = 1 AND ${IN_ENABLED} ORDER BY name`;
const ACCOUNTS = `SELECT organization_id, name, entry_uuid, coalesce(mark, '') AS mark
  FROM ldap_bind_account LEFT JOIN ldap_password ON account_id = ldap_bind_account.id
  WHERE enabled = 1 AND ${IN_ENABLED} ORDER BY name`;

const byOrganization = <Row extends { organization_id: string }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ organization_id }) => organization_id);

const savedSettings = async (db: Database): Promise<LdapSettings> =>
  settingsOf(ldapSettings, (await savedDocument(db, ldapSettings.key))?.document);

/** For its host name and every address; null while it is off or listens nowhere. */
export async function wantedCertificate(db: Database): Promise<{ purpose: string; names: string[] } | null> {
  const settings = await savedSettings(db);
  if (!settings.enabled) return null;
  const names = namesOf({ settings, listen: listeningOn(settings.listen_interfaces, await loadInterfaces(db)) });
  return names.length === 0 ? null : { purpose: LDAP_PURPOSE, names };
}

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database): Promise<LdapDesired> {
  const settings = await savedSettings(db);
  if (!settings.enabled) return { settings, listen: [], organizations: [], authority: null, certificate: null };
  const rows = await loadInterfaces(db);
  const root = await newestRoot(db);
  const listen = listeningOn(settings.listen_interfaces, rows);
  const names = namesOf({ settings, listen });
  return {
    settings,
    listen,
    certificate: await daemonCertificate(db, { purpose: LDAP_PURPOSE, names }),
    organizations: await organizationsOf(db),
    authority: root ? { pem: root.certificate_pem, sha256: root.sha256 } : null,
  };
}

async function organizationsOf(db: Database): Promise<DesiredOrganization[]> {
  const all = await db.all<{ id: string; slug: string; suffix: string }>(ORGANIZATIONS);
  const users = byOrganization(await db.all<Owned<Omit<DesiredUser, 'enabled'> & { enabled: Yes }>>(USERS));
  const groups = byOrganization(
    await db.all<Owned<{ name: string; entry_uuid: string; member_users: string; member_groups: string }>>(GROUPS),
  );
  const accounts = byOrganization(await db.all<Owned<DesiredAccount>>(ACCOUNTS));
  return all.map(({ id, slug, suffix }) => {
    const held = groups.get(id) ?? [];
    // A member that is disabled has no entry that a name could lead to.
    const there = new Set(held.map(({ name }) => name));
    return {
      slug,
      suffix,
      users: (users.get(id) ?? []).map(({ organization_id: _, enabled, ...user }) =>
        filled({ ...user, enabled: enabled === 1 }, mailDomain({ slug, suffix })),
      ),
      groups: held.map(({ name, entry_uuid, member_users, member_groups }) => ({
        name,
        entry_uuid,
        users: JSON.parse(member_users) as string[],
        groups: (JSON.parse(member_groups) as string[]).filter((member) => there.has(member)),
      })),
      accounts: (accounts.get(id) ?? []).map(({ organization_id: _, ...account }) => account),
    };
  });
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

export interface ListenUrl {
  interface: string;
  address: string;
  port: number;
  /** `ldaps`: TLS from the first byte. */
  scheme: 'ldaps' | 'ldap';
}

/** Pure: everywhere that it listens, IPv4 first on each interface. */
export const listenersOf = ({ settings, listen }: Pick<LdapDesired, 'settings' | 'listen'>): ListenUrl[] =>
  listen.flatMap(({ name, addresses }) =>
    addresses.flatMap((address) => [
      ...(settings.ldaps_enabled
        ? [{ interface: name, address, port: settings.ldaps_port, scheme: 'ldaps' as const }]
        : []),
      ...(settings.ldap_enabled
        ? [{ interface: name, address, port: settings.ldap_port, scheme: 'ldap' as const }]
        : []),
    ]),
  );

export const placeOf = ({ address, port, scheme }: Omit<ListenUrl, 'interface'>): string =>
  `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;

/** Names that the certificate needs: host name and addresses. */
export const namesOf = ({ settings, listen }: Pick<LdapDesired, 'settings' | 'listen'>): string[] => [
  ...new Set([settings.hostname, ...listen.flatMap(({ addresses }) => addresses)].filter((name) => name !== '')),
];
