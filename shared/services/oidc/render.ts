// From desired state to the applied manifest.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { addressesOf, listenersOf, type OidcDesired } from './desired.ts';
import { issuerOf } from './issuer.ts';
import { MANIFEST_PATH, writeManifest } from './manifest.ts';

/** The unit's one file; none while the provider is off. */
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
  return [{ path: MANIFEST_PATH, content, mode: 0o640 }];
}
