// The directory.
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(ldapSettings, {
  title: 'LDAP',
  what: 'the directory',
  subject: 'ldap',
  intro:
    'A directory that vCenter, NSX and SDDC Manager can look users and groups up in, for labs without another one.',
  later: 'It holds no users and groups yet.',
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Directory', kind: 'switch', text: 'Answer directory requests' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        { name: 'hostname', label: 'Host name', kind: 'text', mono: true, wide: true, placeholder: 'ldap.lab.example' },
      ],
    },
    {
      legend: 'Encrypted',
      fields: [
        { name: 'ldaps_enabled', label: 'LDAPS', kind: 'switch', text: 'Speak TLS from the first byte' },
        { name: 'ldaps_port', label: 'LDAPS port', kind: 'number' },
      ],
    },
    {
      legend: 'In the clear',
      fields: [
        {
          name: 'ldap_enabled',
          label: 'LDAP',
          kind: 'switch',
          text: 'Also answer without TLS',
          help: 'Passwords are sent unencrypted unless the client starts TLS.',
        },
        { name: 'ldap_port', label: 'LDAP port', kind: 'number' },
      ],
    },
  ],
});
