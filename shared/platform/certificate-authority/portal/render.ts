// From desired state to the applied manifest and what the console shows.
import type { RenderedFile } from '../../../ground/machine/host.ts';
import { CONSOLE_FILE, consoleText } from './console.ts';
import { listenersOf, type PortalDesired } from './desired.ts';
import { MANIFEST_PATH, signingOf, writeManifest } from './manifest.ts';

/** The manifest, and the fingerprint for the console; none while there is no portal. */
export function render(desired: PortalDesired): RenderedFile[] {
  const { on, hostname, revocation, authorities } = desired;
  if (!on) return [];
  const content = writeManifest({ version: 1, listeners: listenersOf(desired), hostname, revocation, authorities });
  // For the service alone: on the appliance its folder gives it that group.
  const manifest = { path: MANIFEST_PATH, content, mode: 0o640 };
  const root = signingOf(desired);
  return [manifest, ...(root ? [{ path: CONSOLE_FILE, content: consoleText(root.sha256), mode: 0o644 }] : [])];
}
