// Settings of the offline depot, from which VMware Cloud Foundation without internet access takes its software.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { takenByPortal } from '../../platform/certificate-authority/portal/port-claims.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, line, listenInterfaces, port } from '../../platform/units/settings-schemas.ts';
import { depotUserNamed } from './users.ts';

const MEMBERS = {
  enabled: flag('Whether the depot answers.'),
  hostname: hostName('Name under which it is reached, such as depot.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  port: port('TCP port of HTTPS:'),
  http_user: line(64, 'The one depot user that can log in, by name; empty for none.'),
  allow_unauthenticated_access: flag('Serves software to everybody who reaches a listener, without user and password.'),
};

export const privateCloudServicesSettings: UnitSettings<typeof MEMBERS> = {
  key: 'private-cloud-services',
  unit: 'private-cloud-services',
  component: 'PrivateCloudServices',
  tag: 'Offline depot',
  name: 'the offline depot',
  resource: 'depot',
  path: '/api/v1/private-cloud-services',
  page: pagePath('offline-depot-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, hostname: 'depot.lab.test', listen_interfaces: ['ens224'], http_user: 'vcf-installer' },
  defaults: {
    enabled: false,
    hostname: '',
    listen_interfaces: [],
    port: 443,
    http_user: '',
    allow_unauthenticated_access: false,
  },
  listens: 'required',
  shares_port: true,
  async refers(db, settings) {
    const { http_user, port } = settings;
    const taken = await takenByPortal(db, settings, port, '/port');
    if (http_user === '' || (await depotUserNamed(db, http_user))) return taken;
    return [...taken, { pointer: '/http_user', detail: 'There is no depot user of this name. Add it first.' }];
  },
  describes:
    'Its certificate is issued by the certificate authority of the appliance, for the host name and for each listen address. Where the management UI answers over TLS at the same address and port, it answers at its host name alone; beside plain HTTP, it needs another port.',
};
