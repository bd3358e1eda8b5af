// Settings of the certificate authority: custody of its keys, what it issues, and the portal where it can be fetched.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../units/settings.ts';
import { flag, hostName, line, listenInterfaces, whole, word } from '../units/settings-schemas.ts';
import { takenFromPortal } from './portal/port-claims.ts';

export const KEY_ALGORITHMS = ['ecdsa-p256', 'ecdsa-p384', 'rsa-3072', 'rsa-4096'] as const;

const MEMBERS = {
  enabled: flag(
    'Custody: whether the appliance keeps a certificate authority and issues certificates. It takes effect at once.',
  ),
  portal_hostname: hostName(
    'Name of the portal where people and machines fetch the root certificate; empty for none. Certificates name the portal by it, and no address of the portal without it.',
  ),
  listen_interfaces: listenInterfaces(
    'Interfaces of the portal, by name; none: there is no portal. It answers at port 80, over plain HTTP.',
  ),
  organization: line(64, 'Organization in the subject of the root certificate; may be empty.'),
  common_name: line(64, 'Common name of the root certificate.'),
  key_algorithm: word(KEY_ALGORITHMS, `Key of the root certificate: ${KEY_ALGORITHMS.join(', ')}.`),
  path_length: whole(
    0,
    1,
    'Path length of the root certificate; 1 lets a subordinate authority such as VMCA be below it.',
  ),
  root_validity_days: whole(365, 9125, 'Days for which the root certificate is valid:'),
  certificate_validity_days: whole(1, 825, 'Days for which issued certificates are valid:'),
  publish_crl: flag('Tells at the portal what was revoked: by revocation lists, and by OCSP.'),
};

export const certificateAuthoritySettings: UnitSettings<typeof MEMBERS> = {
  key: 'certificate-authority',
  unit: 'certificate-authority',
  component: 'CertificateAuthority',
  tag: 'Certificate authority',
  name: 'the certificate authority',
  resource: 'ca',
  path: '/api/v1/certificate-authority',
  page: pagePath('certificate-authority-settings'),
  schema: v.strictObject(MEMBERS),
  example: {
    enabled: true,
    portal_hostname: 'ca.lab.test',
    listen_interfaces: ['ens224'],
    organization: 'Lab',
    key_algorithm: 'ecdsa-p384',
  },
  defaults: {
    enabled: false,
    portal_hostname: '',
    listen_interfaces: [],
    organization: '',
    common_name: 'Groundcrew Root CA',
    // VMware appliances are documented with RSA only.
    key_algorithm: 'rsa-3072',
    path_length: 0,
    root_validity_days: 3650,
    certificate_validity_days: 397,
    publish_crl: true,
  },
  listens: 'optional',
  refers: takenFromPortal,
  faults: ({ common_name, root_validity_days, certificate_validity_days }) => [
    ...(common_name === '' ? [{ pointer: '/common_name', detail: 'The root certificate needs a name.' }] : []),
    ...(certificate_validity_days > root_validity_days
      ? [{ pointer: '/certificate_validity_days', detail: 'No certificate can outlive the root certificate.' }]
      : []),
  ],
  describes:
    'Custody takes effect at once: without it no certificate is made, and those that there are stay in use. The subject, the key and the validity of the root certificate take effect when one is made; a root that exists stays as it is. The portal takes effect with the next reviewed apply. It answers at port 80 of its interfaces, over plain HTTP: an interface where network boot or the offline depot has port 80 is refused. When an interface edit takes the portal’s last address, the portal is cleared and custody stays.',
};
