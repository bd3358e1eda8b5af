// Whether the applied state is still served. The manifest is compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import { driftOf } from '../../platform/units/probing.ts';
import type { OidcDesired } from './desired.ts';
import { ask } from './probe.ts';

export async function drift(host: Host, inForce: OidcDesired): Promise<string[]> {
  return inForce.settings.enabled ? driftOf(await ask(host, inForce, false)) : [];
}
