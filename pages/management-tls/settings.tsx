// The settings of the management UI's certificate.
import { managementTlsSettings } from '../../shared/services/management-tls/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { MANAGEMENT_TLS } from './words.ts';

export const page = settingsPage(managementTlsSettings, {
  title: 'Management TLS settings',
  what: 'the certificate of the management UI',
  intro: 'Which certificate the management UI shows to browsers and programs.',
  above: MANAGEMENT_TLS,
  groups: [
    {
      legend: 'Certificate',
      fields: [
        {
          name: 'source',
          label: 'Source',
          kind: 'radio',
          options: [
            { value: 'self_signed', label: 'The one that the service was started with, self-signed' },
            { value: 'issued', label: 'Issued and renewed by the certificate authority of this appliance' },
            { value: 'uploaded', label: 'The one that was uploaded' },
          ],
          help: 'Each change is applied like any other, and has to be confirmed: without a confirmation the former one comes back.',
        },
        {
          name: 'names',
          label: 'Host names',
          kind: 'list',
          placeholder: 'gc01.lab.example',
          help: 'Under which browsers reach the management UI, one a line, 16 at most. An issued certificate also has its addresses.',
        },
      ],
    },
  ],
});
