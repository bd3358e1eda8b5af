// Key management: the KMIP server of the appliance.
import { kmsSettings } from '../../shared/services/kms/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(kmsSettings, {
  title: 'Key management',
  what: 'key management',
  subject: 'kms',
  intro:
    'A KMIP server that vCenter takes as a standard key provider, so that virtual machines and vSAN can be encrypted.',
  later: 'No keys are kept and no clients are trusted yet.',
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
