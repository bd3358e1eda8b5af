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
  intro: 'Where the depot answers, and whom it lets in. It answers over HTTPS only.',
  above: DEPOT,
  async choices(db) {
    const { items } = await listDepotUsers(db, { limit: PAGE_MAX });
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
          help: 'Its certificate names it, and every address that it answers at.',
        },
        {
          name: 'port',
          label: 'Port',
          kind: 'number',
          help: 'TCP port of HTTPS: 1 to 65535. Another one than that of the management UI where both answer at one address.',
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
          help: 'The one that is let in. Depot users are added on the page of the depot.',
        },
        {
          name: 'allow_unauthenticated_access',
          label: 'Open access',
          kind: 'switch',
          text: 'Serve without user and password',
          help: 'Everybody who reaches a listen address can then read the depot.',
        },
      ],
    },
  ],
});
