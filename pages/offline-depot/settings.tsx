// The settings of the offline depot.

import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { privateCloudServicesSettings } from '../../shared/services/offline-depot/settings.ts';
import { listDepotUsers } from '../../shared/services/offline-depot/users.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { DEPOT } from './depot-words.tsx';

const NONE = { value: '', label: 'none' };

export const page = settingsPage(privateCloudServicesSettings, {
  title: 'Offline depot settings',
  what: 'the offline depot',
  intro: 'Where the depot answers, and who may read it. HTTPS only.',
  above: DEPOT,
  async choices(db) {
    const items = await listDepotUsers(db, { limit: PAGE_MAX });
    return { http_user: [NONE, ...items.map(({ name }) => ({ value: name, label: name }))] };
  },
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Depot', kind: 'switch', text: 'Serve the depot' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        {
          name: 'hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'depot.lab.example',
          help: 'The certificate contains this name and every listen address.',
        },
        {
          name: 'port',
          label: 'Port',
          kind: 'number',
          help: 'HTTPS port, 1 to 65535. It must differ from the port of the management UI where both use the same address.',
        },
      ],
    },
    {
      legend: 'Who may read',
      fields: [
        {
          name: 'http_user',
          label: 'Depot user',
          kind: 'choice',
          options: [NONE],
          help: 'The user who may read the depot. Add depot users on the depot’s page.',
        },
        {
          name: 'allow_unauthenticated_access',
          label: 'Open access',
          kind: 'switch',
          text: 'Serve without user and password',
          help: 'Anyone who reaches a listen address can then read the depot.',
        },
      ],
    },
  ],
});
