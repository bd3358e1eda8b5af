// Reads the desired state of the unit.
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { listeningOn } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { TerminalManifest } from './manifest.ts';
import { webTerminalSettings } from './settings.ts';

export type TerminalSettings = (typeof webTerminalSettings)['defaults'];

/** An interface at whose addresses of the management UI it opens. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses, IPv4 first. */
  addresses: string[];
}

export interface TerminalDesired {
  settings: TerminalSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
}

export const NO_TERMINAL: TerminalDesired = { settings: webTerminalSettings.defaults, listen: [] };

/** Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database): Promise<TerminalDesired> {
  const settings = settingsOf(webTerminalSettings, (await savedDocument(db, webTerminalSettings.key))?.document);
  if (!settings.enabled) return { settings, listen: [] };
  return { settings, listen: listeningOn(settings.listen_interfaces, await loadInterfaces(db)) };
}

export const listenersOf = ({ listen }: TerminalDesired): TerminalManifest['listeners'] =>
  listen.flatMap(({ name, addresses }) => addresses.map((address) => ({ interface: name, address })));
