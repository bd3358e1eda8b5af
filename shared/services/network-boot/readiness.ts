// What network boot still needs before a host installs itself.
import { listening, type UnitReadiness } from '../../platform/units/readiness.ts';
import { boot } from './facts.ts';
import { networkBootSettings } from './settings.ts';

type BootStep = 'addresses' | 'medium' | 'kickstart' | 'host' | 'enabled' | 'applied';

/** `addresses` are of DHCP. */
export const readiness: UnitReadiness<BootStep> = {
  settings: networkBootSettings,
  order: [
    ['addresses'],
    ['medium'],
    ['kickstart'],
    ['host', 'medium', 'kickstart'],
    ['enabled'],
    ['applied', 'enabled'],
  ],
  rows: {
    medium: "SELECT 1 FROM network_boot_medium WHERE state = 'ready' AND enabled = 1",
    kickstart: 'SELECT 1 FROM network_boot_kickstart WHERE enabled = 1',
    host: `SELECT 1 FROM network_boot_host WHERE enabled = 1 AND kickstart_id IS NOT NULL AND media_id IS NOT NULL`,
  },
  set: (saved) => ({ enabled: listening(saved) }),
  inForce: (facts) => ({
    enabled: boot.get(facts, 'enabled') === true,
    host: [...boot.all(facts, 'host')].some(([, { medium, kickstart }]) => medium !== null && kickstart !== null),
  }),
  // They can be chosen as soon as they are saved, and are applied with a host.
  atOnce: ['medium', 'kickstart'],
};

/** What a saved host still needs to install itself; null: nothing. */
export function lacks(host: {
  kickstart_id: string | null;
  media_id: string | null;
}): 'medium' | 'kickstart' | 'both' | null {
  if (host.media_id !== null) return host.kickstart_id === null ? 'kickstart' : null;
  return host.kickstart_id === null ? 'both' : 'medium';
}
