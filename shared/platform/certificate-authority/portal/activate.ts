// Nothing to do: the listeners are part of this service and follow the manifest by themselves.
import type { Host } from '../../../ground/machine/host.ts';
import type { PortalDesired } from './desired.ts';

export async function activate(host: Host, { on }: PortalDesired): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the manifest is kept; nothing is served to the network.';
  return on ? 'The portal listeners follow the manifest.' : 'The portal listeners end.';
}
