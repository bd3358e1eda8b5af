// The offline depot.
import { privateCloudServicesSettings } from '../../shared/units/private-cloud-services/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(privateCloudServicesSettings, {
  title: 'Offline depot',
  what: 'the offline depot',
  intro: 'A web server from which VMware Cloud Foundation takes its software where there is no way to the internet.',
  later: 'No software can be uploaded yet.',
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
        },
        {
          name: 'port',
          label: 'Port',
          kind: 'number',
          help: 'TCP port of HTTPS: 1 to 65535. Services on the same port are told apart by host name.',
        },
      ],
    },
    {
      legend: 'Who may read',
      fields: [
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
