// What the steps of a boot share: their services, the machine, and the origin of an attempt's URLs.

import { systemUptime } from '../../../ground/machine/uptime.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import type { Applied, AppliedHost } from '../manifest.ts';
import { attemptPath, MENU_PATH, START_PATH } from '../paths.ts';
import { LIFETIME, type Moment, momentOf } from './attempt.ts';
import type { Attempt } from './attempt-store.ts';
import { FIRMWARES, type Firmware } from './console.ts';

export type BootShell = Pick<Services, 'clock' | 'entropy' | 'keys' | 'host' | 'uptime' | 'boot_lifetime'>;

export const now = ({ clock, uptime = systemUptime }: BootShell): Moment => momentOf(clock, uptime);
export const lifetime = ({ boot_lifetime = LIFETIME }: BootShell): number => boot_lifetime;

/** The machine by its own query, which is used only to look for its host. */
export interface Machine {
  mac_address: string;
  firmware: Firmware;
}

/** `mac=00-50-56-01-02-03&firmware=efi`, as iPXE fills it in; null when it is not that. */
export function machineOf(query: { mac?: string | undefined; firmware?: string | undefined }): Machine | null {
  const mac = query.mac?.toLowerCase().replaceAll('-', ':') ?? '';
  const firmware = FIRMWARES.find((known) => known === query.firmware);
  return /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && firmware ? { mac_address: mac, firmware } : null;
}

const queryOf = ({ mac_address, firmware }: Machine): string =>
  `mac=${mac_address.replaceAll(':', '-')}&firmware=${firmware}`;

export const menuUrl = (origin: string, machine: Machine | null): string =>
  `${origin}${MENU_PATH}${machine ? `?${queryOf(machine)}` : ''}`;
export const startUrl = (origin: string, machine: Machine): string => `${origin}${START_PATH}?${queryOf(machine)}`;
export const attemptUrl = (origin: string, claim: string, file: string): string =>
  `${origin}${attemptPath(claim, file)}`;

export const machineOfAttempt = ({ mac_address, firmware }: Attempt): Machine => ({
  mac_address,
  firmware: firmware === 'pcbios' ? 'pcbios' : 'efi',
});

/** The origin that the client used, when the applied state has a listener there. */
export function appliedOrigin(applied: Applied, host: string | undefined): string | null {
  const origin = `http://${host?.toLowerCase() ?? ''}`;
  return applied.manifest.listeners.some((listener) => listener.origin === origin) ? origin : null;
}

/** The loader of a firmware; null: the medium can't be started by it. */
export const loaderFor = ({ medium }: AppliedHost, firmware: Firmware): string | null =>
  medium?.loaders[firmware === 'efi' ? 'efi' : 'bios'] ?? null;
