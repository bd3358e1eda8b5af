// Whether the applied state is still served. Files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import { driftOf } from '../../platform/units/probing.ts';
import type { NetworkBootDesired } from './desired.ts';
import { ask } from './probe.ts';

export async function drift(host: Host, inForce: NetworkBootDesired): Promise<string[]> {
  return inForce.settings.enabled ? driftOf(await ask(host, inForce)) : [];
}
