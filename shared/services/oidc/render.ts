// From desired state to the applied manifest.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { certificateFiles } from '../../platform/certificate-authority/daemon-certificate.ts';
import { addressesOf, listenersOf, type OidcDesired } from './desired.ts';
import { CERTIFICATE_FILE, KEY_NAME } from './files.ts';
import { issuerOf } from './issuer.ts';
import { MANIFEST_PATH, writeManifest } from './manifest.ts';

/** Its certificate, with the key, and the manifest, which comes last; none while the provider is off. */
export function render(desired: OidcDesired): RenderedFile[] {
  const { enabled, hostname, access_token_seconds, id_token_seconds, code_seconds } = desired.settings;
  if (!enabled) return [];
  const content = writeManifest({
    version: 1,
    listeners: listenersOf(desired),
    hostname,
    issuer: issuerOf(desired.settings, addressesOf(desired)),
    ...{ access_token_seconds, id_token_seconds, code_seconds },
  });
  // For the service alone: on the appliance its folder gives it that group.
  const served = desired.certificate ? certificateFiles(KEY_NAME, CERTIFICATE_FILE, desired.certificate) : [];
  return [...served, { path: MANIFEST_PATH, content, mode: 0o640 }];
}
