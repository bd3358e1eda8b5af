// Whether the applied state is still served. The manifest is compared elsewhere, by content.
import type { Host } from '../../../ground/machine/host.ts';
import { driftOf } from '../../units/probing.ts';
import type { PortalDesired } from './desired.ts';
import { ask } from './probe.ts';

export async function drift(host: Host, inForce: PortalDesired): Promise<string[]> {
  return inForce.on ? driftOf(await ask(host, inForce)) : [];
}
