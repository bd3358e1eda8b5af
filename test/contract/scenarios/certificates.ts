// The root certificate and what it issued.
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../../shared/platform/certificate-authority/issue.ts';
import { refreshLists } from '../../../shared/platform/certificate-authority/revoke.ts';
import { certificateAuthoritySettings } from '../../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../../shared/platform/units/settings-store.ts';
import { PASSWORD } from '../../setup/house.ts';
import { foreignRoot, plainRequest } from '../../setup/signing-request.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

/** Custody is on, and there is no root. */
async function custody({ house }: Scene): Promise<Given> {
  const { services } = house.appliance;
  const patch = { enabled: true, key_algorithm: 'ecdsa-p256' as const };
  await services.store.write(async (tx) => {
    await saveSettings(tx, services, certificateAuthoritySettings, patch, null);
    await tx.run('DELETE FROM certificate_request');
    await tx.run('DELETE FROM issued_certificate');
    await tx.run('DELETE FROM certificate_authority');
  });
  return {};
}

/** A root, and a certificate that it issued. */
async function issued(scene: Scene): Promise<Given> {
  await custody(scene);
  const { services } = scene.house.appliance;
  await services.store.write((tx) => createRoot(tx, services, 'ada'));
  await ensureServerCertificate(services, { purpose: 'offline-depot', names: ['depot.lab.example'] });
  const row = await services.store.one<{ id: string }>('SELECT id FROM issued_certificate');
  return { certificate_id: row!.id };
}

/** A request that waits. */
async function asked(scene: Scene): Promise<Given> {
  await issued(scene);
  const { csr } = plainRequest();
  const heard = await scene.api('POST', '/api/v1/certificate-authority/requests', { csr, profile: 'server' });
  return { request_id: heard.body.id, csr };
}

/** A root, and a request that somebody has. */
async function withRequest(scene: Scene): Promise<Given> {
  await issued(scene);
  return { csr: plainRequest().csr };
}

async function held(scene: Scene): Promise<Given> {
  const given = await issued(scene);
  await scene.api('POST', `/api/v1/certificate-authority/certificates/${given.certificate_id}/revoke`, {
    revocation_reason: 'certificateHold',
  });
  return given;
}

/** A root whose list was signed. */
async function listed(scene: Scene): Promise<Given> {
  const given = await issued(scene);
  await refreshLists(scene.house.services);
  return given;
}

/** Custody, no root, and one that was made elsewhere. */
async function elsewhere(scene: Scene): Promise<Given> {
  await custody(scene);
  return { pem: foreignRoot() };
}

async function followed(scene: Scene): Promise<Given> {
  await issued(scene);
  await scene.api('POST', '/api/v1/certificate-authority/root/next');
  return {};
}

const profile = async (scene: Scene): Promise<Given> => ({ profile_name: 'vmware', days: String(scene.next()) });

// What is slow is done before the transaction, which looks again at all that it depends on.
const make = { given: custody, audit: ['certificate.root.create'], statements: 12 };
const renew = { given: issued, audit: ['certificate.issue'], statements: 14 };
// Profile, root, settings, and the row; the certificate that is answered, or the page that shows it.
const sign = { given: withRequest, audit: ['certificate.issue'], statements: 14 };
const revoke = { given: issued, audit: ['certificate.revoke'], statements: 14 };
const release = { given: held, audit: ['certificate.release'], statements: 14 };
const approve = { given: asked, audit: ['certificate.request.approve', 'certificate.issue'], statements: 16 };
const refuse = { given: asked, audit: ['certificate.request.refuse'], statements: 10 };
const ask = { given: withRequest, audit: ['certificate.request.create'], statements: 9 };
const bring = { given: elsewhere, audit: ['certificate.root.import'], statements: 12 };
const follow = { given: issued, audit: ['certificate.root.next'], statements: 12 };
const takeOver = { given: followed, audit: ['certificate.root.take_over'], statements: 9 };
const discard = { given: followed, audit: ['certificate.root.discard'], statements: 8 };
const patch = { given: profile, audit: ['certificate.profile.update'] };
const form = (fields: Record<string, string>) => () => ({ form: fields });

export const CERTIFICATES: Scenarios = {
  createRootCertificate: make,
  createRootCertificateForm: make,
  getRootCertificate: { given: issued },
  downloadRootCertificate: { given: issued },
  downloadRootCertificatePage: { given: issued },
  getIssuedCertificate: { given: issued },
  renewIssuedCertificate: renew,
  renewIssuedCertificateForm: renew,
  certificatePage: { given: issued },
  listRelyingParties: { given: issued },
  downloadCertificate: { given: issued },
  downloadCertificatePage: { given: issued },
  downloadRevocationList: { given: listed },
  downloadRevocationListPage: { given: listed },
  signCertificate: sign,
  signCertificateForm: {
    ...sign,
    send: ({ csr }) => ({ form: { csr: csr!, profile: 'server', names: 'host.lab.example', validity_days: '' } }),
  },
  importRootCertificate: bring,
  importRootCertificateForm: { ...bring, send: ({ pem }) => ({ form: { pem: pem!, standing: 'signing' } }) },
  exportRootCertificateForm: {
    given: issued,
    audit: ['certificate.root.export'],
    status: 200,
    statements: 14,
    send: form({ passphrase: 'under this phrase', again: 'under this phrase', own_password: PASSWORD }),
  },
  createNextRootCertificate: follow,
  createNextRootCertificateForm: follow,
  getNextRootCertificate: { given: followed },
  takeOverRootCertificate: takeOver,
  takeOverRootCertificateForm: takeOver,
  discardNextRootCertificate: discard,
  discardNextRootCertificateForm: discard,
  createCertificateWithKey: { ...sign, statements: 14 },
  createCertificateWithKeyForm: {
    ...sign,
    status: 200,
    send: form({
      names: 'host.lab.example',
      profile: 'server',
      key_algorithm: 'ecdsa-p256',
      passphrase: 'under this phrase',
    }),
  },
  previewCertificateRequest: { given: withRequest },
  previewCertificateRequestForm: { given: withRequest, status: 200, send: ({ csr }) => ({ form: { csr: csr! } }) },
  revokeCertificatePage: { given: issued },
  revokeCertificate: revoke,
  revokeCertificateForm: { ...revoke, send: form({ revocation_reason: 'superseded' }) },
  releaseCertificate: release,
  releaseCertificateForm: release,
  createCertificateRequest: ask,
  createCertificateRequestForm: { ...ask, send: ({ csr }) => ({ form: { csr: csr!, profile: 'server', note: '' } }) },
  getCertificateRequest: { given: asked },
  certificateRequestPage: { given: asked },
  approveCertificateRequest: approve,
  approveCertificateRequestForm: { ...approve, send: form({ names: 'host.lab.example', validity_days: '30' }) },
  refuseCertificateRequest: refuse,
  refuseCertificateRequestForm: { ...refuse, send: form({ reason: 'Not ours.' }) },
  getCertificateProfile: { given: profile },
  certificateProfilePage: { given: profile },
  updateCertificateProfile: patch,
  updateCertificateProfileForm: {
    ...patch,
    send: ({ days }) => ({ form: { allowed_names: '*.lab.example', validity_days: days! } }),
  },
};
