// From desired state to the applied manifest.
import type { RenderedFile } from '../../../ground/machine/host.ts';
import { listenersOf, type PortalDesired } from './desired.ts';
import { MANIFEST_PATH, writeManifest } from './manifest.ts';

/** The unit's one file; none while there is no portal. */
export function render(desired: PortalDesired): RenderedFile[] {
  const { on, hostname, revocation, authorities } = desired;
  if (!on) return [];
  const content = writeManifest({ version: 1, listeners: listenersOf(desired), hostname, revocation, authorities });
  // For the service alone: on the appliance its folder gives it that group.
  return [{ path: MANIFEST_PATH, content, mode: 0o640 }];
}
