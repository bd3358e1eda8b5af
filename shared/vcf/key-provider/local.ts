// The KMIP server of this appliance as the task needs it: there, or refused with everything that is missing.
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';
import { readManifest, shownByServer } from '../../services/kms/manifest.ts';
import type { Place } from './task.ts';

export interface Missing {
  text: string;
  page: string;
  link: string;
}

export interface KmsEndpoint {
  /** By name first, then by address; never empty. */
  places: Place[];
  /** The certificate that the KMIP server shows. */
  certificate: { pem: string; sha256: string; not_after: string };
}

export interface KmsAvailability {
  /** Empty exactly when there is an endpoint. */
  missing: Missing[];
  endpoint: KmsEndpoint | null;
}

const AUTHORITY = { page: pagePath('certificate-authority'), link: 'Open the certificate authority' };

/** Two statements and a small file. */
export async function kmsAvailability({
  store,
  host,
  clock,
}: Pick<Services, 'store' | 'host' | 'clock'>): Promise<KmsAvailability> {
  // A damaged manifest is served by nobody, like none.
  const manifest = (await readManifest(host).catch(() => null))?.manifest;
  const [first] = manifest?.listeners ?? [];
  const root = await newestRoot(store);
  // A damaged file is shown by nobody.
  const shown = await shownByServer(host, store).catch(() => null);
  const now = clock.now().toISOString();
  const certified = shown !== null && shown.not_before <= now && now < shown.not_after;
  const missing: Missing[] = [];
  if (!first) {
    const text = 'The KMIP server is not in force: switch it on, save the settings, and apply them.';
    missing.push({ text, page: pagePath('kms-settings'), link: 'Open the settings of key management' });
  }
  if (!root) missing.push({ text: 'There is no root certificate yet: create it.', ...AUTHORITY });
  else if (!certified) {
    const text =
      'The KMIP server has no valid certificate of our authority. It gets one with the next plan: review it and apply it.';
    missing.push({ text, ...AUTHORITY });
  }
  if (missing.length > 0 || !first || !shown || !manifest) return { missing, endpoint: null };
  const named = manifest.hostname === '' ? [] : [{ address: manifest.hostname, port: first.port }];
  const { pem, sha256, not_after } = shown;
  const addresses = manifest.listeners.map(({ address, port }) => ({ address, port }));
  return { missing, endpoint: { places: [...named, ...addresses], certificate: { pem, sha256, not_after } } };
}

/** @throws Problem 409 `state_conflict` whose blockers name each condition that is missing */
export async function requireKms(services: Pick<Services, 'store' | 'host' | 'clock'>): Promise<KmsEndpoint> {
  const { missing, endpoint } = await kmsAvailability(services);
  if (endpoint) return endpoint;
  const blockers = missing.map(({ text, page, link }) => ({
    ...{ subject: 'Key management', reason: text, page, unblock: link },
  }));
  const detail = `The KMIP server of this appliance can’t serve a vCenter yet. ${missing.map(({ text }) => text).join(' ')}`;
  throw new Problem('state_conflict', detail, { blockers });
}
