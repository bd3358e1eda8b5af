// Settings of the firewall.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, networks } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether packets are filtered at all.'),
  log_denied: flag('Writes refused packets to the system log.'),
  allow_ping: flag('Answers ICMP and ICMPv6 echo requests. What IPv6 itself needs is never filtered.'),
  management_networks: networks('Networks that may reach the management UI; none: all of them.'),
};

export const firewallSettings: UnitSettings<typeof MEMBERS> = {
  key: 'firewall',
  unit: 'firewall',
  component: 'Firewall',
  tag: 'Firewall',
  name: 'the firewall',
  resource: 'firewall',
  path: '/api/v1/firewall',
  page: pagePath('firewall-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, management_networks: ['198.51.100.0/24', '2001:db8:10::/64'] },
  defaults: { enabled: true, log_denied: false, allow_ping: true, management_networks: [] },
  listens: 'no',
  describes:
    'Services open their own ports on the interfaces that they listen on; rules of the operator are a collection of their own. While it is on, everything else that reaches the appliance is refused.',
};
