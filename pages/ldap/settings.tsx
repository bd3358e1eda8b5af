// The settings of the directory.
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { LDAP } from './places.tsx';

export const page = settingsPage(ldapSettings, {
  title: 'LDAP settings',
  what: 'the directory',
  intro: 'Where the directory answers, how it is encrypted, and which passwords it takes.',
  above: LDAP,
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Directory', kind: 'switch', text: 'Answer directory requests' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        {
          name: 'hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'ldap.lab.example',
          help: 'The certificate of the directory names it, and every address that it answers at.',
        },
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
      legend: 'With TLS on request',
      fields: [
        {
          name: 'ldap_enabled',
          label: 'LDAP',
          kind: 'switch',
          text: 'Also answer clients that begin without TLS',
          help: 'They have to ask for TLS (StartTLS) before they sign in.',
        },
        { name: 'ldap_port', label: 'LDAP port', kind: 'number' },
        {
          name: 'allow_plain_bind',
          label: 'Without TLS',
          kind: 'switch',
          text: 'Let clients sign in without TLS',
          help: 'Everybody on the way can read their passwords. For clients that can do nothing else.',
        },
      ],
    },
    {
      legend: 'Passwords',
      fields: [
        { name: 'password_min_length', label: 'Least length', kind: 'number' },
        {
          name: 'password_history',
          label: 'History',
          kind: 'number',
          help: 'Earlier passwords that a new one must differ from, 24 at most.',
        },
        {
          name: 'password_max_failures',
          label: 'Failures that lock',
          kind: 'number',
          help: 'Wrong passwords in a row; 0: none lock.',
        },
        {
          name: 'password_lockout_minutes',
          label: 'Locked for',
          kind: 'number',
          help: 'Minutes; 0: until somebody unlocks the account.',
        },
        {
          name: 'password_max_age_days',
          label: 'Greatest age',
          kind: 'number',
          help: 'Days after which the password of a user is not accepted any more; 0: never. Bind accounts keep theirs.',
        },
      ],
    },
  ],
});
