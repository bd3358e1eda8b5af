// Reads the desired state of the unit: eight statements, and two while the provider is off.
import type { Database } from '../../ground/store/database.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';
import { type DaemonCertificate, daemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { effectiveManagementListeners } from '../../platform/interfaces/management-listener.ts';
import { listeningOn } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { clashesOf } from '../../platform/units/names-at-a-port.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { Surroundings } from '../../platform/units/unit.ts';
import { clientsNamed } from './clients/names.ts';
import { CERTIFICATE_PURPOSE, type OidcManifest } from './manifest.ts';
import { oidcSettings } from './settings.ts';

export type OidcSettings = (typeof oidcSettings)['defaults'];

/** An interface that the provider answers on. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses, IPv4 first. */
  addresses: string[];
}

export interface OidcDesired {
  settings: OidcSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  /** Addresses where another part of this service uses the port → that part. */
  taken: Record<string, 'public-pages' | 'management-ui'>;
  /** What else answers there over TLS and can't be told apart, in sentences. */
  clashes: string[];
  /** The root that clients have to trust; null while there is none. */
  authority: { pem: string; sha256: string } | null;
  /** What it is served with; null while it waits for one. */
  certificate: DaemonCertificate | null;
  /** Names of the clients that sign people in here. No fact: they change by themselves. */
  clients: string[];
}

export const NO_OIDC: OidcDesired = {
  settings: oidcSettings.defaults,
  listen: [],
  taken: {},
  clashes: [],
  authority: null,
  certificate: null,
  clients: [],
};

const savedSettings = async (db: Database): Promise<OidcSettings> =>
  settingsOf(oidcSettings, (await savedDocument(db, oidcSettings.key))?.document);

/** Its host name and every address. */
const namesOf = ({ hostname }: OidcSettings, listen: readonly ListenInterface[]): string[] => [
  ...new Set([hostname, ...addressesOf({ listen: [...listen] })].filter(Boolean)),
];

/** Null while it is off or listens nowhere. */
export async function wantedCertificate(db: Database): Promise<{ purpose: string; names: string[] } | null> {
  const settings = await savedSettings(db);
  if (!settings.enabled) return null;
  const names = namesOf(settings, listeningOn(settings.listen_interfaces, await loadInterfaces(db)));
  return names.length === 0 ? null : { purpose: CERTIFICATE_PURPOSE, names };
}

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database, surroundings: Surroundings): Promise<OidcDesired> {
  const settings = await savedSettings(db);
  const clients = await clientsNamed(db);
  if (!settings.enabled) return { ...NO_OIDC, settings, clients };
  const rows = await loadInterfaces(db);
  const root = await newestRoot(db);
  const listen = listeningOn(settings.listen_interfaces, rows);
  return {
    settings,
    listen,
    taken: takenBy(settings.port, rows, surroundings),
    clashes: await clashesOf(db, oidcSettings.key, settings, surroundings, rows),
    authority: root ? { pem: root.certificate_pem, sha256: root.sha256 } : null,
    certificate: await daemonCertificate(db, { purpose: CERTIFICATE_PURPOSE, names: namesOf(settings, listen) }),
    clients,
  };
}

function takenBy(
  port: number,
  rows: readonly NetworkInterface[],
  { management_port, management_tls, public_listen }: Surroundings,
): OidcDesired['taken'] {
  // Over TLS they are told apart by name.
  const management = port === management_port && !management_tls ? effectiveManagementListeners(rows) : [];
  return {
    ...(public_listen?.port === port && { [public_listen.host]: 'public-pages' as const }),
    ...Object.fromEntries(management.map(({ address }) => [address, 'management-ui' as const])),
  };
}

export const listenersOf = ({ settings, listen }: OidcDesired): OidcManifest['listeners'] =>
  listen.flatMap(({ name, addresses }) =>
    addresses.map((address) => ({ interface: name, address, port: settings.port })),
  );

/** All addresses, in the order in which they listen. */
export const addressesOf = ({ listen }: Pick<OidcDesired, 'listen'>): string[] =>
  listen.flatMap(({ addresses }) => addresses);
