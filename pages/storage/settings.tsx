// The settings of ESX storage.
import { storageSettings } from '../../shared/services/storage/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { STORAGE } from './storage-words.tsx';

export const page = settingsPage(storageSettings, {
  title: 'Storage settings',
  what: 'storage',
  intro: 'Whether datastores are exported to ESX hosts, and under which name. Each datastore names its own interface.',
  above: STORAGE,
  groups: [
    {
      legend: 'NFS',
      fields: [
        { name: 'enabled', label: 'Storage', kind: 'switch', text: 'Export datastores' },
        {
          name: 'hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'nfs.lab.example',
          help: 'Name under which ESX hosts mount datastores; empty: by address. If it belongs to one of your zones, the appliance keeps its address records, those of all enabled datastores, and a name for each family alone: nfs-ipv4 and nfs-ipv6 beside nfs. Hosts should mount by one of these two.',
        },
      ],
    },
  ],
});
