// The flat view of the desired state: what a plan compares and shows.
import type { Entries } from '../../platform/units/unit.ts';
import type { NtpDesired, TimeSource } from './desired.ts';
import { addressesOf, isDynamic, listening } from './listening.ts';

/** Prefix of the keys of sources: `source time1.lab.example`. */
export const SOURCE_KEY = 'source ';
export const SERVICE_KEY = 'time service';
export const AGREE_KEY = 'sources that must agree';
export const NTS_KEY = 'NTS';
/** Worded so that a plan counts it among what follows the network. */
export const REFUSED_KEY = 'listening refuses';
export const NTS_WAITS = 'waits for a certificate';

const orNone = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '));

function sourceWords({ kind, nts, prefer }: TimeSource): string {
  return [kind, ...(nts ? ['NTS'] : []), ...(prefer ? ['preferred'] : [])].join(', ');
}

/** Setting → value in an operator's words. While the service is off, only the appliance's own clock has entries. */
export function entries(desired: NtpDesired): Entries {
  const { settings, sources } = desired;
  const view = new Map<string, string>([[SERVICE_KEY, settings.enabled ? 'on' : 'off']]);
  if (settings.enabled) {
    view.set('clients', settings.allowed_clients.length === 0 ? 'everybody' : settings.allowed_clients.join(', '));
    view.set('local stratum', settings.local_stratum === 0 ? 'off' : `${settings.local_stratum}`);
    view.set(NTS_KEY, settings.nts_enabled ? NTS_WAITS : 'off');
    for (const link of desired.listen) {
      const addresses = addressesOf(link);
      view.set(
        `listens on ${link.name}`,
        orNone(isDynamic(link) ? ['address from the network', ...addresses] : addresses),
      );
    }
    const { refused } = listening(desired);
    if (refused.length > 0) view.set(REFUSED_KEY, refused.join(', '));
  }
  if (sources.length > 0) view.set(AGREE_KEY, `${settings.minimum_sources}`);
  for (const source of sources) view.set(`${SOURCE_KEY}${source.address}`, sourceWords(source));
  return view;
}
