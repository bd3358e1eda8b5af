// The certificate authority.
import { certificateAuthoritySettings, KEY_ALGORITHMS } from '../../shared/units/certificate-authority/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';

const ALGORITHMS: Record<(typeof KEY_ALGORITHMS)[number], string> = {
  'ecdsa-p256': 'ECDSA P-256',
  'ecdsa-p384': 'ECDSA P-384',
  'rsa-3072': 'RSA 3072',
  'rsa-4096': 'RSA 4096',
};

export const page = settingsPage(certificateAuthoritySettings, {
  title: 'Certificate authority',
  what: 'the certificate authority',
  intro: 'A root of trust for the lab: certificates for vCenter, NSX, ESX hosts and the services of this appliance.',
  later: 'No root certificate is made and no certificates are issued yet.',
  groups: [
    {
      legend: 'Root certificate',
      fields: [
        {
          name: 'enabled',
          label: 'Custody',
          kind: 'switch',
          text: 'Keep a certificate authority and issue certificates',
          help: 'It needs no address: custody stays when the portal goes.',
        },
        { name: 'common_name', label: 'Common name', kind: 'text', maxlength: 64, required: true },
        { name: 'organization', label: 'Organization', kind: 'text', maxlength: 64 },
        {
          name: 'key_algorithm',
          label: 'Key',
          kind: 'choice',
          options: KEY_ALGORITHMS.map((value) => ({ value, label: ALGORITHMS[value] })),
          help: 'Subject, key and validity take effect when a root is made; one that exists stays as it is.',
        },
        { name: 'root_validity_days', label: 'Root validity', kind: 'number' },
      ],
    },
    {
      legend: 'Issued certificates',
      fields: [{ name: 'certificate_validity_days', label: 'Validity', kind: 'number' }],
    },
    {
      legend: 'Portal',
      fields: [
        {
          name: 'listen_interfaces',
          label: 'Listen on',
          kind: 'interfaces',
          help: 'Where people and machines fetch the root certificate. None: there is no portal.',
        },
        {
          name: 'portal_hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'ca.lab.example',
        },
        { name: 'publish_crl', label: 'Revocation', kind: 'switch', text: 'Publish the list of revoked certificates' },
      ],
    },
  ],
});
