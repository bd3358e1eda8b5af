// The flat view of the desired state: what a plan compares and shows. Of a Kickstart its revision and what it
// names of vaults, of variables that they are there and whether they are the same: never what is in them.

import type { Entries } from '../../platform/units/unit.ts';
import type { NetworkBootDesired } from './desired.ts';
import { httpProgram, ipv4Of, listenersOf, pointedTo } from './listening.ts';
import type { ManifestHost } from './manifest.ts';
import { NO_BOOT_URL } from './settings.ts';

export const SERVICE_KEY = 'network boot';
export const LISTEN_KEY = 'listens on ';
export const TFTP_KEY = 'TFTP';
export const UEFI_KEY = 'UEFI HTTP boot';
export const SCOPE_KEY = 'machines of the scope ';
export const HOST_KEY = 'host ';
export const KICKSTART_KEY = 'Kickstart ';
export const MEDIUM_KEY = 'medium ';

/** Begins what a Kickstart names of vaults. */
export const VAULT_VALUES = 'values of vaults: ';

const SHORT = 12;
const short = (digest: string): string => digest.slice(0, SHORT);

function hostWords(host: ManifestHost, { kickstarts, media }: NetworkBootDesired): string {
  const kickstart = kickstarts.find(({ id }) => id === host.kickstart_id);
  const medium = media.find(({ id }) => id === host.media_id);
  return [
    host.mac_address,
    host.ip_address || 'address of a range',
    kickstart ? `Kickstart ${kickstart.name}` : 'no Kickstart',
    medium ? `medium ${medium.name}` : 'no medium',
    ...(host.variables_digest === '' ? [] : [`variables ${short(host.variables_digest)}`]),
  ].join(', ');
}

function uefiWords({ settings, listen }: NetworkBootDesired): string {
  if (settings.uefi_http_url !== '')
    return settings.uefi_http_url === NO_BOOT_URL ? 'not offered' : settings.uefi_http_url;
  const programs = listen.flatMap((link) => {
    const address = ipv4Of(link);
    return address === null ? [] : (httpProgram(settings, address) ?? []);
  });
  return `follows the appliance: ${programs.join(', ') || 'no address'}`;
}

/** Setting → value in an operator's words. */
export function entries(desired: NetworkBootDesired): Entries {
  const { settings, hosts, kickstarts, media } = desired;
  const view = new Map<string, string>([[SERVICE_KEY, settings.enabled ? 'on' : 'off']]);
  if (!settings.enabled) return view;
  for (const name of new Set(desired.listen.map((link) => link.name))) {
    const origins = listenersOf(desired).filter((listener) => listener.interface === name);
    view.set(`${LISTEN_KEY}${name}`, origins.map(({ origin }) => origin).join(', ') || 'no address');
  }
  view.set(TFTP_KEY, settings.tftp_enabled ? 'on' : 'off');
  view.set(UEFI_KEY, uefiWords(desired));
  for (const scope of desired.scopes) {
    const pointed = pointedTo(desired, scope);
    if (pointed.link?.name === scope.interface) continue;
    view.set(
      `${SCOPE_KEY}${scope.name}`,
      pointed.link ? `boot from ${pointed.link.name}` : `get no boot listener: ${pointed.why}`,
    );
  }
  for (const { name, revision, vault_values } of kickstarts) {
    const taken = vault_values.length > 0 ? `, ${VAULT_VALUES}${vault_values.join(', ')}` : '';
    view.set(`${KICKSTART_KEY}${name}`, `revision ${short(revision)}${taken}`);
  }
  for (const { name, content_digest } of media) view.set(`${MEDIUM_KEY}${name}`, `content ${short(content_digest)}`);
  for (const host of hosts) view.set(`${HOST_KEY}${host.hostname}`, hostWords(host, desired));
  return view;
}
