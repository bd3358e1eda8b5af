// The settings of the certificate authority.
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { certificateAuthoritySettings, KEY_ALGORITHMS } from '../../shared/platform/certificate-authority/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';
import { ALGORITHMS } from './certificate-words.tsx';

export const page = settingsPage(certificateAuthoritySettings, {
  title: 'Certificate authority settings',
  what: 'the portal',
  intro: 'What the root certificate is made from, how long certificates are valid, and where the root can be fetched.',
  above: { href: AUTHORITY_PAGE, label: 'Certificate authority' },
  atOnce: true,
  saves: 'The portal takes effect when you apply it; all else immediately.',
  groups: [
    {
      legend: 'Root certificate',
      fields: [
        {
          name: 'enabled',
          label: 'Custody',
          kind: 'switch',
          text: 'Keep a certificate authority and issue certificates',
          help: 'Works without the portal. When off, no certificates are issued; existing ones stay valid.',
        },
        { name: 'common_name', label: 'Common name', kind: 'text', maxlength: 64, required: true },
        { name: 'organization', label: 'Organization', kind: 'text', maxlength: 64 },
        {
          name: 'key_algorithm',
          label: 'Key',
          kind: 'choice',
          options: KEY_ALGORITHMS.map((value) => ({ value, label: ALGORITHMS[value] })),
          help: 'VMware documents its appliances with RSA. Subject, key and validity take effect when a root is created; an existing root stays as it is.',
        },
        { name: 'root_validity_days', label: 'Root validity', kind: 'number' },
        {
          name: 'path_length',
          label: 'Path length',
          kind: 'number',
          help: '0: it signs no authority. 1: a subordinate authority such as VMCA can be below it. It can’t be changed once the root is made.',
        },
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
          help: 'Where people and machines fetch the root certificate, at port 80. None: there is no portal.',
        },
        {
          name: 'portal_hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'ca.lab.example',
          help: 'Certificates name the portal by it. Without one they name no address to ask what was revoked.',
        },
        {
          name: 'publish_crl',
          label: 'Revocation',
          kind: 'switch',
          text: 'Tell what was revoked, by revocation lists and by OCSP',
        },
      ],
    },
  ],
});
