// Reads the desired state of the unit: six statements, whatever the number of hosts.

import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { listeningOn, standingIn, standings } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { BootScope, Surroundings } from '../../platform/units/unit.ts';
import type { ManifestHost, ManifestKickstart, ManifestMedium } from './manifest.ts';
import { networkBootSettings } from './settings.ts';

export type NetworkBootSettings = (typeof networkBootSettings)['defaults'];

/** An interface that the boot listener answers on. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
  /** Static addresses, IPv4 first. */
  addresses: string[];
}

/** A Kickstart with the vault values of its text, `<vault>.<key>`, which are not rendered. */
export interface NamedKickstart extends ManifestKickstart {
  vault_values: string[];
}

export interface NetworkBootDesired {
  settings: NetworkBootSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  /** By name. */
  scopes: BootScope[];
  /** All static addresses of the appliance. */
  own_addresses: string[];
  /** Enabled hosts, by name. */
  hosts: ManifestHost[];
  /** Kickstarts of these hosts, by name. */
  kickstarts: NamedKickstart[];
  /** Media of these hosts that are ready, by name. */
  media: ManifestMedium[];
}

const HOSTS = `SELECT id, hostname, mac_address, ip_address, kickstart_id, media_id, variables_sealed AS variables,
  variables_digest FROM network_boot_host WHERE enabled = 1 ORDER BY hostname`;
const NAMED = (column: string): string =>
  `id IN (SELECT ${column} FROM network_boot_host WHERE enabled = 1 AND ${column} IS NOT NULL)`;
const KICKSTARTS = `SELECT id, name, text_revision AS revision, text_sealed AS text, vault_values
  FROM network_boot_kickstart
  WHERE ${NAMED('kickstart_id')} ORDER BY name`;
const MEDIA = `SELECT id, name, content_digest, loaders, boot_config FROM network_boot_medium
  WHERE state = 'ready' AND ${NAMED('media_id')} ORDER BY name`;

interface MediumRow extends Omit<ManifestMedium, 'loaders' | 'boot_config'> {
  loaders: string;
  boot_config: string;
}

function mediumOf({ loaders, boot_config, ...row }: MediumRow): ManifestMedium {
  const { efi = null, bios = null } = JSON.parse(loaders) as Partial<ManifestMedium['loaders']>;
  return { ...row, loaders: { efi, bios }, boot_config: JSON.parse(boot_config) as ManifestMedium['boot_config'] };
}

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database, { bootScopes }: Surroundings): Promise<NetworkBootDesired> {
  const saved = await savedDocument(db, networkBootSettings.key);
  const settings = settingsOf(networkBootSettings, saved?.document);
  const rows = await loadInterfaces(db);
  const all = standings(rows);
  return {
    settings,
    listen: listeningOn(settings.listen_interfaces, rows),
    scopes: await bootScopes(db),
    own_addresses: rows.flatMap(({ name }) => {
      const { networks } = standingIn(all, name);
      return [networks.ipv4, networks.ipv6].flatMap((cidr) => cidr?.address.text ?? []);
    }),
    hosts: await db.all<ManifestHost>(HOSTS),
    kickstarts: (await db.all<ManifestKickstart & { vault_values: string }>(KICKSTARTS)).map(
      ({ vault_values, ...row }) => ({ ...row, vault_values: JSON.parse(vault_values) as string[] }),
    ),
    media: (await db.all<MediumRow>(MEDIA)).map(mediumOf),
  };
}
