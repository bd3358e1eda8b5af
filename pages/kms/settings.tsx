// The settings of key management.
import { kmsSettings } from '../../shared/services/kms/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { KMS } from './kms-words.tsx';

export const page = settingsPage(kmsSettings, {
  title: 'Key management settings',
  what: 'key management',
  intro: 'Where the KMIP server answers. A client always needs a certificate that is trusted for a provider.',
  above: KMS,
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'KMIP server', kind: 'switch', text: 'Answer key requests' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        { name: 'hostname', label: 'Host name', kind: 'text', mono: true, wide: true, placeholder: 'kms.lab.example' },
        { name: 'port', label: 'Port', kind: 'number' },
      ],
    },
  ],
});
