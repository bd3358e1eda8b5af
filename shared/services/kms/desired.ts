// Reads the desired state of the unit.
import type { Database } from '../../ground/store/database.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';
import { type DaemonCertificate, daemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { effectiveManagementListeners } from '../../platform/interfaces/management-listener.ts';
import { listeningOn } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument, savedDocuments } from '../../platform/units/documents.ts';
import type { Listening } from '../../platform/units/settings.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { Surroundings } from '../../platform/units/unit.ts';
import { type KeysHeld, keysHeld, NO_KEYS } from './keys/held.ts';
import { type KmsManifest, SERVER_PURPOSE } from './manifest.ts';
import { kmsSettings } from './settings.ts';

export type KmsSettings = (typeof kmsSettings)['defaults'];

/** An interface that it answers on. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses, IPv4 first. */
  addresses: string[];
}

export interface KmsDesired {
  settings: KmsSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  /** Addresses at which something else of the appliance has the port → what people call it. */
  taken: Record<string, string>;
  /** Interfaces at which another service has the port → that service. */
  held: Record<string, string>;
  /** The root that vCenter has to trust; null while there is none. */
  authority: { pem: string; sha256: string } | null;
  /** What it is served with; null while it waits for one. */
  certificate: DaemonCertificate | null;
  /** Keys that would be out of reach. No fact: they change by themselves. */
  keys: KeysHeld;
}

export const OFF: Omit<KmsDesired, 'settings' | 'keys'> = {
  listen: [],
  taken: {},
  held: {},
  authority: null,
  certificate: null,
};
export const NO_KMS: KmsDesired = { ...OFF, settings: kmsSettings.defaults, keys: NO_KEYS };

const savedSettings = async (db: Database): Promise<KmsSettings> =>
  settingsOf(kmsSettings, (await savedDocument(db, kmsSettings.key))?.document);

/** Its host name and every address. */
const namesOf = ({ hostname }: KmsSettings, listen: readonly ListenInterface[]): string[] => [
  ...new Set([hostname, ...listen.flatMap(({ addresses }) => addresses)].filter(Boolean)),
];

/** Null while it is off or listens nowhere. The key stays: vCenter pins what it was shown. */
export async function wantedCertificate(
  db: Database,
): Promise<{ purpose: string; names: string[]; keeps_key: true } | null> {
  const settings = await savedSettings(db);
  if (!settings.enabled) return null;
  const names = namesOf(settings, listeningOn(settings.listen_interfaces, await loadInterfaces(db)));
  return names.length === 0 ? null : { purpose: SERVER_PURPOSE, names, keeps_key: true };
}

/** Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database, surroundings: Surroundings): Promise<KmsDesired> {
  const settings = await savedSettings(db);
  const keys = await keysHeld(db);
  if (!settings.enabled) return { ...OFF, settings, keys };
  const rows = await loadInterfaces(db);
  const root = await newestRoot(db);
  const listen = listeningOn(settings.listen_interfaces, rows);
  return {
    settings,
    listen,
    taken: takenBy(settings.port, rows, surroundings),
    held: await heldBy(db, settings.port),
    authority: root ? { pem: root.certificate_pem, sha256: root.sha256 } : null,
    certificate: await daemonCertificate(db, { purpose: SERVER_PURPOSE, names: namesOf(settings, listen) }),
    keys,
  };
}

/** KMIP shares no port: no name tells it apart before TLS is made. */
function takenBy(
  port: number,
  rows: readonly NetworkInterface[],
  { management_port, public_listen }: Surroundings,
): KmsDesired['taken'] {
  const management = port === management_port ? effectiveManagementListeners(rows) : [];
  return {
    ...(public_listen?.port === port && { [public_listen.host]: 'the public pages' }),
    ...Object.fromEntries(management.map(({ address }) => [address, 'the management UI'])),
  };
}

/** Documents with a port of their own: the member that has it, and what people call the service. */
const OTHERS: readonly (readonly [key: string, port: string, name: string])[] = [
  ['network-boot', 'http_port', 'network boot'],
  ['private-cloud-services', 'port', 'the offline depot'],
];

type Saved = Partial<Listening> & Record<string, unknown>;

async function heldBy(db: Database, port: number): Promise<KmsDesired['held']> {
  const saved = await savedDocuments<Saved>(
    db,
    OTHERS.map(([key]) => key),
  );
  return Object.fromEntries(
    OTHERS.flatMap(([key, member, name]) => {
      const other = saved.get(key) ?? {};
      if (other.enabled !== true || other[member] !== port) return [];
      return (other.listen_interfaces ?? []).map((each) => [each, name] as const);
    }),
  );
}

export const listenersOf = ({ settings, listen }: KmsDesired): KmsManifest['listeners'] =>
  listen.flatMap(({ name, addresses }) =>
    addresses.map((address) => ({ interface: name, address, port: settings.port })),
  );
