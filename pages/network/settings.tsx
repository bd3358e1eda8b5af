// The appliance's own name and resolvers.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { networkSettings } from '../../shared/platform/network/settings.ts';
import { Addresses } from '../units/reached-at.tsx';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(networkSettings, {
  title: 'Settings',
  what: 'these settings',
  intro: 'The appliance’s host name, and the DNS servers that it uses.',
  groups: [
    {
      legend: 'The appliance',
      fields: [
        { name: 'hostname', label: 'Host name', kind: 'text', mono: true, wide: true, placeholder: 'gc01.lab.example' },
        {
          name: 'dns_servers',
          label: 'Resolvers',
          kind: 'list',
          help: 'Addresses of up to three DNS servers, one a line, used in this order. This appliance may be one of them.',
        },
      ],
    },
  ],
  facts: (_saved, interfaces) => [
    { label: 'Own addresses', value: <Addresses addresses={interfaces.flatMap(({ addresses }) => addresses)} /> },
    { label: 'What guests are shown', value: <a href={pagePath('public-settings')}>Public pages</a> },
    { label: 'Connections to other machines', value: <a href={pagePath('remote-settings')}>Remote machines</a> },
  ],
});
