// Reads the desired state of the unit: three statements, whatever the number of sources, and two more with NTS.
import { type Cidr, networkOf } from '../../ground/addresses/address.ts';
import type { Database } from '../../ground/store/database.ts';
import { type DaemonCertificate, daemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import type { AddressFamily } from '../../platform/interfaces/refresh/snapshot.ts';
import { type Standing, standingIn, standings } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import { addressesOf } from './listening.ts';
import { ntpSettings } from './settings.ts';
import type { NtpSource } from './sources.ts';

export type NtpSettings = (typeof ntpSettings)['defaults'];
export type TimeSource = Pick<NtpSource, 'address' | 'kind' | 'nts' | 'prefer'>;

export const FAMILIES = ['ipv4', 'ipv6'] as const satisfies readonly AddressFamily[];

/** The address of an interface in one family. */
export interface Reach {
  /** Static address with prefix; empty for none. */
  cidr: string;
  /** Whether DHCP or router advertisements give it an address, which is not known here. */
  dynamic: boolean;
}

/** An interface that the service listens on. */
export interface ListenInterface extends Record<AddressFamily, Reach> {
  name: string;
  /** False when the interface does not exist or can't carry a service. */
  usable: boolean;
}

export interface NtpDesired {
  settings: NtpSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  /** Networks of the other interfaces in use, sorted. */
  elsewhere: string[];
  /** Enabled sources, by address. */
  sources: TimeSource[];
  /** What NTS is served with; null while it is off, or waits for its certificate. */
  certificate: DaemonCertificate | null;
}

export const NTS_PURPOSE = 'ntp';

/** Its certificate is for the host name and every static address; null while NTS is off. Pure. */
export function ntsNames({ settings, listen }: Pick<NtpDesired, 'settings' | 'listen'>): string[] | null {
  const { enabled, nts_enabled, hostname } = settings;
  if (!enabled || !nts_enabled || hostname === '') return null;
  return [...new Set([hostname, ...listen.flatMap(addressesOf)])];
}

const SOURCES = 'SELECT address, kind, nts, prefer FROM ntp_source WHERE enabled = 1 ORDER BY address';

type SourceRow = Pick<NtpSource, 'address' | 'kind'> & { nts: number; prefer: number };

function reachOf({ networks, families }: Standing, family: AddressFamily): Reach {
  const cidr = networks[family]?.text ?? '';
  return { cidr, dynamic: cidr === '' && families.has(family) };
}

function listenOn(name: string, rows: readonly NetworkInterface[], all: ReadonlyMap<string, Standing>) {
  const standing = standingIn(all, name);
  const present = rows.find((row) => row.name === name)?.present === true;
  const usable = standing.on && present;
  return { name, usable, ipv4: reachOf(standing, 'ipv4'), ipv6: reachOf(standing, 'ipv6') };
}

const networksOf = ({ networks }: Standing): Cidr[] => FAMILIES.flatMap((family) => networks[family] ?? []);

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database): Promise<NtpDesired> {
  const settings = settingsOf(ntpSettings, (await savedDocument(db, ntpSettings.key))?.document);
  const sources = await db.all<SourceRow>(SOURCES);
  const rows = await loadInterfaces(db);
  const all = standings(rows);
  const others = [...all].filter(([name]) => !settings.listen_interfaces.includes(name));
  const listen = settings.listen_interfaces.map((name) => listenOn(name, rows, all));
  const names = ntsNames({ settings, listen });
  return {
    settings,
    listen,
    certificate: names && (await daemonCertificate(db, { purpose: NTS_PURPOSE, names })),
    elsewhere: [...new Set(others.flatMap(([, standing]) => networksOf(standing).map(networkOf)))].sort(),
    sources: sources.map((row) => ({ ...row, nts: row.nts === 1, prefer: row.prefer === 1 })),
  };
}

/** Whether chronyd runs: it has clients to answer, or a source to follow. */
export const runs = ({ settings, sources }: NtpDesired): boolean => settings.enabled || sources.length > 0;
