// Settings of the offline depot, from which VMware Cloud Foundation without internet access takes its software.
import * as v from 'valibot';
import type { UnitSettings } from '../settings.ts';
import { flag, hostName, listenInterfaces, port } from '../settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether the depot answers.'),
  hostname: hostName('Name under which it is reached, such as depot.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  port: port('TCP port of HTTPS:'),
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
  page: '/ui/management/offline-depot',
  schema: v.strictObject(MEMBERS),
  defaults: { enabled: false, hostname: '', listen_interfaces: [], port: 443, allow_unauthenticated_access: false },
  listens: 'required',
  describes: 'Services on the same address and port are told apart by host name.',
};
