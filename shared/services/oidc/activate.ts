// Nothing to do: the listeners are part of this service and follow the manifest by themselves.
import type { Host } from '../../ground/machine/host.ts';
import type { OidcDesired } from './desired.ts';

export async function activate(host: Host, { settings }: OidcDesired): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the manifest is kept; nothing is served to the network.';
  return settings.enabled
    ? 'The listeners of OpenID Connect follow the manifest.'
    : 'The listeners of OpenID Connect end.';
}
