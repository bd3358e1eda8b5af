// The settings of the packet filter.
import { firewallSettings } from '../../shared/services/firewall/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { FIREWALL } from './rule-pages.tsx';

export const page = settingsPage(firewallSettings, {
  title: 'Firewall settings',
  what: 'the firewall',
  intro: 'What reaches the appliance. Each service opens its own ports on the interfaces that it listens on.',
  above: FIREWALL,
  groups: [
    {
      legend: 'Filter',
      fields: [
        { name: 'enabled', label: 'Firewall', kind: 'switch', text: 'Refuse packets that no service needs' },
        { name: 'log_denied', label: 'Log', kind: 'switch', text: 'Write refused packets to the system log' },
        {
          name: 'allow_ping',
          label: 'Ping',
          kind: 'switch',
          text: 'Answer echo requests',
          help: 'What IPv6 itself needs is never filtered.',
        },
      ],
    },
    {
      legend: 'Management',
      fields: [
        {
          name: 'management_networks',
          label: 'Networks',
          kind: 'list',
          rows: 4,
          placeholder: 'all of them',
          help: 'Networks or single addresses that may reach the management UI, one a line, 64 at most. Empty: all. The review refuses a change that would lock you out.',
        },
      ],
    },
  ],
});
