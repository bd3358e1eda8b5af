// The settings of the time service.
import { ntpSettings } from '../../shared/services/ntp/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { NTP } from './source-pages.tsx';

export const page = settingsPage(ntpSettings, {
  title: 'NTP settings',
  what: 'NTP',
  intro: 'Time service for clients, on UDP port 123.',
  above: NTP,
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Time service', kind: 'switch', text: 'Answer time requests' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        { name: 'hostname', label: 'Host name', kind: 'text', mono: true, wide: true, placeholder: 'ntp.lab.example' },
        {
          name: 'allowed_clients',
          label: 'Clients',
          kind: 'list',
          placeholder: 'everybody who reaches a listener',
          help: 'Networks or single addresses, one a line, 64 at most. They stay as they are when an interface moves to another network.',
        },
      ],
    },
    {
      legend: 'The clock',
      fields: [
        { name: 'minimum_sources', label: 'Minimum sources', kind: 'number' },
        {
          name: 'local_stratum',
          label: 'Local stratum',
          kind: 'number',
          help: 'Stratum announced while no source answers, 1 to 15, so that an isolated lab still shares one time. 0: clients learn that the time is unknown.',
        },
      ],
    },
    {
      legend: 'Network Time Security',
      fields: [
        {
          name: 'nts_enabled',
          label: 'NTS',
          kind: 'switch',
          text: 'Also answer authenticated requests',
          help: 'On TCP port 4460, with a certificate of the certificate authority for the host name and the fixed addresses; where the address comes by DHCP, clients ask by the host name. It is made with the next plan, and renewed in good time; plain NTP does not wait for it.',
        },
      ],
    },
  ],
});
