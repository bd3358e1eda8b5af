// After everything that was saved may have become another: nothing that a unit knew of the host saves it a look.
import type { Host } from '../../ground/machine/host.ts';
import { UNITS } from '../units.ts';

export function lookAtAllAgain(host: Host): void {
  for (const { forgets } of UNITS) forgets?.(host);
}
