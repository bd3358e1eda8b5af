// The settings of DHCP.
import { dhcpSettings } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';
import { settingsPage } from '../../units/settings-page.tsx';
import { DHCP } from './dhcp-words.tsx';

export const page = settingsPage(dhcpSettings, {
  title: 'DHCP settings',
  what: 'DHCP',
  intro: 'Settings for all scopes. Each scope says where it serves, and which addresses.',
  above: DHCP,
  groups: [
    {
      legend: 'DHCP',
      fields: [
        { name: 'enabled', label: 'DHCP', kind: 'switch', text: 'Give out addresses' },
        {
          name: 'authoritative',
          label: 'Authority',
          kind: 'switch',
          text: 'Answer every client on its networks',
          help: 'Also clients that ask for an address from another server. Switch this off where another DHCP server serves the same network.',
        },
        {
          name: 'lease_time',
          label: 'Lease time',
          kind: 'number',
          help: 'Seconds, 120 to 31,536,000, for new scopes. Scopes that exist keep theirs.',
        },
      ],
    },
  ],
});
