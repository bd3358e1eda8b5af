// Settings of key management: the KMIP server that vSphere uses as a standard key provider.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, listenInterfaces, port } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether the KMIP server answers.'),
  hostname: hostName('Name under which vCenter reaches it, such as kms.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  port: port('TCP port of KMIP:'),
};

export const kmsSettings: UnitSettings<typeof MEMBERS> = {
  key: 'kms',
  unit: 'kms',
  component: 'Kms',
  tag: 'Key management',
  name: 'key management',
  resource: 'kms',
  path: '/api/v1/kms',
  page: pagePath('kms-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, hostname: 'kms.lab.test', listen_interfaces: ['ens224'], port: 5696 },
  defaults: { enabled: false, hostname: '', listen_interfaces: [], port: 5696 },
  listens: 'required',
  describes: 'Clients always need a certificate that is trusted here; that cannot be switched off.',
};
