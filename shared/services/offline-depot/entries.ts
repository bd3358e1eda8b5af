// The flat view of the desired state: what a plan compares and shows.
import type { Entries } from '../../platform/units/unit.ts';
import type { DepotDesired } from './desired.ts';

export const SERVICE_KEY = 'offline depot';
export const LISTEN_KEY = 'listens on ';
export const NAME_KEY = 'host name';
export const ACCESS_KEY = 'access';
export const AUTHORITY_KEY = 'certificate authority';

export const OPEN_ACCESS = 'everybody, without a login';
export const NOBODY = 'nobody: no user is chosen';

function accessWords({ http_user, allow_unauthenticated_access }: DepotDesired['settings']): string {
  if (allow_unauthenticated_access) return OPEN_ACCESS;
  return http_user === '' ? NOBODY : `user ${http_user}`;
}

/** Setting → value in an operator's words. */
export function entries({ settings, listen, authority }: DepotDesired): Entries {
  const view = new Map<string, string>([[SERVICE_KEY, settings.enabled ? 'on' : 'off']]);
  if (!settings.enabled) return view;
  for (const { name, addresses } of listen) {
    const at = addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${settings.port}`);
    view.set(`${LISTEN_KEY}${name}`, at.join(', ') || 'no address');
  }
  view.set(NAME_KEY, settings.hostname || 'none');
  view.set(ACCESS_KEY, accessWords(settings));
  view.set(AUTHORITY_KEY, authority?.sha256 ?? 'none');
  return view;
}
