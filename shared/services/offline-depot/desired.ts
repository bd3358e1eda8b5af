// Reads the desired state of the unit: seven statements, and one while the depot is off.

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
import { CERTIFICATE_PURPOSE, type DepotManifest } from './manifest.ts';
import { privateCloudServicesSettings } from './settings.ts';
import { depotUserNamed } from './users.ts';

export type DepotSettings = (typeof privateCloudServicesSettings)['defaults'];

/** An interface that the depot answers on. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses, IPv4 first. */
  addresses: string[];
}

export interface DepotDesired {
  settings: DepotSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  /** Addresses where another part of this service uses the depot's port → that part. */
  taken: Record<string, 'public-pages' | 'management-ui'>;
  /** What else answers there over TLS and can't be told apart, in sentences. */
  clashes: string[];
  /** The root that clients have to trust; null while there is none. */
  authority: { pem: string; sha256: string } | null;
  /** What it is served with; null while it waits for one. */
  certificate: DaemonCertificate | null;
  /** Whether the user that the settings name exists. */
  user_known: boolean;
}

const OFF: Omit<DepotDesired, 'settings'> = {
  listen: [],
  taken: {},
  clashes: [],
  authority: null,
  certificate: null,
  user_known: false,
};
export const NO_DEPOT: DepotDesired = { ...OFF, settings: privateCloudServicesSettings.defaults };

const savedSettings = async (db: Database): Promise<DepotSettings> =>
  settingsOf(privateCloudServicesSettings, (await savedDocument(db, privateCloudServicesSettings.key))?.document);

/** Its host name and every address. */
const namesOf = ({ hostname }: DepotSettings, listen: readonly ListenInterface[]): string[] => [
  ...new Set([hostname, ...listen.flatMap(({ addresses }) => addresses)].filter(Boolean)),
];

/** Null while it is off or listens nowhere. */
export async function wantedCertificate(db: Database): Promise<{ purpose: string; names: string[] } | null> {
  const settings = await savedSettings(db);
  if (!settings.enabled) return null;
  const names = namesOf(settings, listeningOn(settings.listen_interfaces, await loadInterfaces(db)));
  return names.length === 0 ? null : { purpose: CERTIFICATE_PURPOSE, names };
}

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database, surroundings: Surroundings): Promise<DepotDesired> {
  const settings = await savedSettings(db);
  if (!settings.enabled) return { ...OFF, settings };
  const rows = await loadInterfaces(db);
  const root = await newestRoot(db);
  const listen = listeningOn(settings.listen_interfaces, rows);
  return {
    settings,
    listen,
    taken: takenBy(settings.port, rows, surroundings),
    clashes: await clashesOf(db, privateCloudServicesSettings.key, settings, surroundings, rows),
    authority: root ? { pem: root.certificate_pem, sha256: root.sha256 } : null,
    certificate: await daemonCertificate(db, { purpose: CERTIFICATE_PURPOSE, names: namesOf(settings, listen) }),
    user_known: settings.http_user !== '' && (await depotUserNamed(db, settings.http_user)),
  };
}

function takenBy(
  port: number,
  rows: readonly NetworkInterface[],
  { management_port, management_tls, public_listen }: Surroundings,
): DepotDesired['taken'] {
  // Over TLS they are told apart by name.
  const management = port === management_port && !management_tls ? effectiveManagementListeners(rows) : [];
  return {
    ...(public_listen?.port === port && { [public_listen.host]: 'public-pages' as const }),
    ...Object.fromEntries(management.map(({ address }) => [address, 'management-ui' as const])),
  };
}

export const listenersOf = ({ settings, listen }: DepotDesired): DepotManifest['listeners'] =>
  listen.flatMap(({ name, addresses }) =>
    addresses.map((address) => ({ interface: name, address, port: settings.port })),
  );
