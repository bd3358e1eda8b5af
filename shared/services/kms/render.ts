// From desired state to the applied manifest.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { type KmsDesired, listenersOf } from './desired.ts';
import { MANIFEST_PATH, writeManifest } from './manifest.ts';

/** The unit's one file; none while it is off. */
export function render(desired: KmsDesired): RenderedFile[] {
  const { enabled, hostname } = desired.settings;
  if (!enabled) return [];
  const content = writeManifest({ version: 1, listeners: listenersOf(desired), hostname });
  // For the service alone: on the appliance its folder gives it that group.
  return [{ path: MANIFEST_PATH, content, mode: 0o640 }];
}
