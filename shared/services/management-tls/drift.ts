// Whether the applied certificate is still shown. The files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import { driftOf } from '../../platform/units/probing.ts';
import type { ManagementTlsDesired } from './desired.ts';
import { ask, isAsked } from './probe.ts';

export async function drift(host: Host, inForce: ManagementTlsDesired): Promise<string[]> {
  return isAsked(inForce) ? driftOf(await ask(host, inForce)) : [];
}
