// Settings of the NFS storage for ESX hosts. Volumes and datastores are collections of their own.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether datastores are exported.'),
  hostname: hostName('Name under which ESX hosts mount datastores, such as nfs.lab.example; empty: by address.'),
};

export const storageSettings: UnitSettings<typeof MEMBERS> = {
  key: 'storage',
  unit: 'storage',
  component: 'Storage',
  tag: 'Storage',
  name: 'ESX storage',
  resource: 'storage',
  path: '/api/v1/storage',
  page: pagePath('storage-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, hostname: 'nfs.lab.test' },
  defaults: { enabled: false, hostname: '' },
  listens: 'no',
  keeps_records: true,
  describes:
    'Storage has no listeners of its own: each datastore names its interface, and the records of the name are the addresses of all enabled datastores. Hosts mount a datastore by the same name or address each, since vSphere knows it by that text.',
};
