// Settings of the time service. Its sources are a collection of their own.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, listenInterfaces, networks, whole } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether the time service answers clients.'),
  hostname: hostName('Name under which clients ask, such as ntp.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  allowed_clients: networks('Networks whose clients are answered; none: everybody who reaches a listener.'),
  local_stratum: whole(
    0,
    15,
    'Stratum at which it goes on answering from its own clock when no source answers; 0: clients are told then that the time is not known.',
  ),
  nts_enabled: flag(
    'Also answers clients of Network Time Security, on TCP port 4460. Needs a host name. Its certificate is for the host name and the fixed addresses: not for an address by DHCP or router advertisement, which another lease may change without a plan, so that clients ask there by the host name. NTS is served once the certificate authority has made its certificate; everything else is served without waiting for it.',
  ),
  minimum_sources: whole(1, 8, 'Sources that must agree before the clock is set:'),
};

export const ntpSettings: UnitSettings<typeof MEMBERS> = {
  key: 'ntp',
  unit: 'ntp',
  component: 'Ntp',
  tag: 'NTP',
  name: 'the time service',
  resource: 'ntp',
  path: '/api/v1/ntp',
  page: pagePath('ntp-settings'),
  schema: v.strictObject(MEMBERS),
  example: {
    enabled: true,
    hostname: 'ntp.lab.test',
    listen_interfaces: ['ens224'],
    allowed_clients: ['192.0.2.0/24'],
    minimum_sources: 2,
  },
  defaults: {
    enabled: false,
    hostname: '',
    listen_interfaces: [],
    allowed_clients: [],
    local_stratum: 10,
    nts_enabled: false,
    minimum_sources: 1,
  },
  listens: 'required',
  faults: ({ nts_enabled, hostname }) =>
    nts_enabled && hostname === ''
      ? [{ pointer: '/hostname', detail: 'NTS needs a host name: its certificate is made out to it.' }]
      : [],
  describes:
    'It answers on UDP port 123, which cannot change. With one address of a family it is bound to that address alone; with several, or with an address by DHCP or router advertisement, it is open on all of that family and refuses clients in the networks of other interfaces, and only the firewall tells who comes by which interface. The appliance itself is always answered. While the service is off, the appliance still sets its own clock by its enabled sources. Networks of clients are the operator’s own: they stay as they are when an interface moves to another network.',
};
