// Settings of the DHCP half of the unit. Its interfaces are those of the scopes.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, whole } from '../../platform/units/settings-schemas.ts';

/** Bounds and default of the lease time in seconds. dnsmasq accepts two minutes at least. */
export const LEASE_SECONDS = { least: 120, most: 31_536_000, usual: 43_200 } as const;

const MEMBERS = {
  enabled: flag('Whether the appliance gives out addresses.'),
  authoritative: flag(
    'Answers every client on its networks, also those that ask for an address of another server. Switch it off where another DHCP server serves the same network.',
  ),
  lease_time: whole(
    LEASE_SECONDS.least,
    LEASE_SECONDS.most,
    'Seconds for which a new scope gives out addresses, unless it names its own:',
  ),
};

export const dhcpSettings: UnitSettings<typeof MEMBERS> = {
  key: 'dhcp',
  unit: 'dns-dhcp',
  component: 'Dhcp',
  tag: 'DHCP',
  name: 'DHCP',
  resource: 'dhcp',
  path: '/api/v1/dhcp',
  page: pagePath('dhcp-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, lease_time: 3600 },
  defaults: { enabled: false, authoritative: true, lease_time: LEASE_SECONDS.usual },
  listens: 'no',
  describes:
    'DHCP has no listeners of its own: each scope names its interface. One daemon serves names and addresses, so while the name service is on it also answers on the interfaces of scopes; the review of the apply says where. A change of the lease time leaves the scopes that exist as they are. A client may name itself, but not as a managed record of the domain of its scope, nor wpad, isatap, localhost, gateway, router, autodiscover, broadcasthost or groundcrew: it gets its address, and the name service knows it by no name. Reservations give names to their hosts as they say.',
};
