// Settings of the appliance itself on the network: its own name and its DNS servers.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../units/settings.ts';
import { addresses, hostName } from '../units/settings-schemas.ts';

const MEMBERS = {
  hostname: hostName('Fully qualified name of the appliance, such as gc01.lab.example; empty while it has none.'),
  dns_servers: addresses(3, 'Servers that the appliance itself asks for names, in order.'),
};

export const networkSettings: UnitSettings<typeof MEMBERS> = {
  key: 'network',
  unit: 'network',
  component: 'Network',
  tag: 'Network',
  name: 'the appliance’s own name resolution',
  resource: 'settings',
  path: '/api/v1/network',
  page: pagePath('settings'),
  schema: v.strictObject(MEMBERS),
  example: { hostname: 'gc01.lab.test', dns_servers: ['203.0.113.53'] },
  defaults: { hostname: '', dns_servers: [] },
  listens: 'no',
  describes:
    'The appliance may name its own addresses as DNS servers; loopback and link-local addresses are refused. Interfaces and VLANs are resources of their own.',
};
