// Reads the desired state of the unit: nine statements, whatever it holds, fewer where nothing of the directory was saved
// since, and one while it is off.
import type { Database } from '../../ground/store/database.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';
import { type DaemonCertificate, daemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { listeningOn } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import { type DesiredOrganization, organizationsOf } from './desired-organizations.ts';
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
