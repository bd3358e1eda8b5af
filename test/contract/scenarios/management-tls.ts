// The certificate of the management UI: read, uploaded by the API and by its form.
import { PASSWORD } from '../../setup/house.ts';
import { selfSigned } from '../../setup/self-signed.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

/** Statements that the own password costs. */
const OWN_PASSWORD = 7;

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

/** Kept, and neither chosen nor in force. */
async function notInUse(scene: Scene): Promise<Given> {
  const { certificate, private_key } = await named(scene);
  await scene.api('PUT', '/api/v1/management-tls/certificate', { certificate, private_key, own_password: PASSWORD });
  await ownAgain(scene);
  return {};
}

const upload = { given: named, after: ownAgain, audit: ['management-tls.certificate.upload'], statements: 12 };

export const MANAGEMENT_TLS: Scenarios = {
  getManagementTls: {},
  uploadManagementCertificate: { ...upload, statements: 12 + OWN_PASSWORD },
  deleteManagementCertificate: { given: notInUse, audit: ['management-tls.certificate.delete'], statements: 9 },
  deleteManagementCertificatePage: { given: notInUse },
  deleteManagementCertificateForm: {
    given: notInUse,
    send: () => ({ form: {} }),
    audit: ['management-tls.certificate.delete'],
    statements: 9,
  },
  uploadManagementCertificateForm: {
    ...upload,
    send: ({ certificate, private_key }) => ({
      form: { certificate: certificate!, private_key: private_key!, own_password: PASSWORD },
    }),
  },
};
