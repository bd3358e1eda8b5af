// The certificate of the management UI: read, uploaded by the API and by its form.
import { PASSWORD } from '../../setup/house.ts';
import { selfSigned } from '../../setup/self-signed.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

/** A name that the settings have, and a certificate for it. */
async function named(scene: Scene): Promise<Given> {
  const name = `gc${scene.next()}.lab.example`;
  await scene.api('PATCH', '/api/v1/management-tls/settings', { source: 'self_signed', names: [name] });
  return selfSigned(name, ['-days', '30', '-addext', `subjectAltName=DNS:${name}`]);
}

/** No service of these tests speaks TLS: a plan with an uploaded certificate would be refused. */
async function ownAgain({ api }: Scene): Promise<void> {
  await api('PATCH', '/api/v1/management-tls/settings', { source: 'self_signed' });
}

const upload = { given: named, after: ownAgain, audit: ['management-tls.certificate.upload'], statements: 12 };

export const MANAGEMENT_TLS: Scenarios = {
  getManagementTls: {},
  uploadManagementCertificate: upload,
  uploadManagementCertificateForm: {
    ...upload,
    send: ({ certificate, private_key }) => ({
      form: { certificate: certificate!, private_key: private_key!, own_password: PASSWORD },
    }),
  },
};
