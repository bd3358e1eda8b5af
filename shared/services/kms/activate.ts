// Nothing to do: the listeners are part of this service and follow the manifest by themselves.
import type { Host } from '../../ground/machine/host.ts';
import type { KmsDesired } from './desired.ts';

export async function activate(host: Host, { settings }: KmsDesired): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the manifest is kept; nothing is served to the network.';
  return settings.enabled ? 'The KMIP listeners follow the manifest.' : 'The KMIP listeners end.';
}
