// The root certificate and what it issued.
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../../shared/platform/certificate-authority/issue.ts';
import { certificateAuthoritySettings } from '../../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../../shared/platform/units/settings-store.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

/** Custody is on, and there is no root. */
async function custody({ house }: Scene): Promise<Given> {
  const { services } = house.appliance;
  const patch = { enabled: true, key_algorithm: 'ecdsa-p256' as const };
  await services.store.write(async (tx) => {
    await saveSettings(tx, services, certificateAuthoritySettings, patch, null);
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

// What is slow is done before the transaction, which looks again at all that it depends on.
const make = { given: custody, audit: ['certificate.root.create'], statements: 12 };
const renew = { given: issued, audit: ['certificate.issue'], statements: 14 };

export const CERTIFICATES: Scenarios = {
  createRootCertificate: make,
  createRootCertificateForm: make,
  getRootCertificate: { given: issued },
  downloadRootCertificate: { given: issued },
  downloadRootCertificatePage: { given: issued },
  getIssuedCertificate: { given: issued },
  renewIssuedCertificate: renew,
  renewIssuedCertificateForm: renew,
};
