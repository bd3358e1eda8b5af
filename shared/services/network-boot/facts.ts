// Network boot as facts, which a plan compares. A Kickstart has its revision and the names of its vault values;
// variables have a digest. No fact has their content.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import type { NetworkBootDesired } from './desired.ts';
import { httpProgram, ipv4Of, listenersOf, pointedTo, type Unpointed } from './listening.ts';
import type { ManifestHost } from './manifest.ts';
import { NO_BOOT_URL } from './settings.ts';

export type BootFacts = {
  enabled: boolean;
  /** By interface: origins at which the boot listener answers. */
  listen: string[];
  tftp: boolean;
  /** What firmware that boots over HTTP gets; `programs`: the appliance's own. Null: nothing. */
  uefi: { url: string } | { programs: string[] } | null;
  /** By scope: the boot listener of its machines, where that is not on its own interface. */
  scope: { listener: string } | Unpointed;
  /** By name. `revision`, and the digests below, are shortened for people. */
  kickstart: { revision: string; vault_values: string[] };
  medium: string;
  /** By host name. Empty or null: none. */
  host: { mac: string; address: string; kickstart: string | null; medium: string | null; variables: string };
};
export type BootedHost = BootFacts['host'];

export const boot = factsOf<BootFacts>();

const short = (digest: string): string => digest.slice(0, 12);

function hostOf(host: ManifestHost, { kickstarts, media }: NetworkBootDesired): BootedHost {
  return {
    mac: host.mac_address,
    address: host.ip_address,
    kickstart: kickstarts.find(({ id }) => id === host.kickstart_id)?.name ?? null,
    medium: media.find(({ id }) => id === host.media_id)?.name ?? null,
    variables: short(host.variables_digest),
  };
}

function uefiOf({ settings, listen }: NetworkBootDesired): BootFacts['uefi'] {
  const { uefi_http_url: url } = settings;
  if (url !== '') return url === NO_BOOT_URL ? null : { url };
  const addresses = listen.flatMap((link) => ipv4Of(link) ?? []);
  return { programs: addresses.flatMap((address) => httpProgram(settings, address) ?? []) };
}

export function facts(desired: NetworkBootDesired): Facts {
  const { settings, hosts, kickstarts, media } = desired;
  const { facts: found, add } = boot.list();
  add('enabled', settings.enabled);
  if (!settings.enabled) return found;
  const listeners = listenersOf(desired);
  for (const name of new Set(desired.listen.map((link) => link.name))) {
    const own = listeners.filter((listener) => listener.interface === name);
    add(
      'listen',
      own.map(({ origin }) => origin),
      name,
    );
  }
  add('tftp', settings.tftp_enabled);
  add('uefi', uefiOf(desired));
  for (const scope of desired.scopes) {
    const { link, why } = pointedTo(desired, scope);
    if (link?.name !== scope.interface) add('scope', link ? { listener: link.name } : why, scope.name);
  }
  for (const { name, revision, vault_values } of kickstarts)
    add('kickstart', { revision: short(revision), vault_values }, name);
  for (const { name, content_digest } of media) add('medium', short(content_digest), name);
  for (const host of hosts) add('host', hostOf(host, desired), host.hostname);
  return found;
}

/** Whether a difference only follows the network: a listener, or a URL whose address moved. */
export const follows = (difference: Difference, all: readonly Difference[]): boolean =>
  difference.kind === 'listen' || movedAlong(difference as Difference<BootFacts>, all as Difference<BootFacts>[]);

/** Whether a URL differs only in its address, which moved from an old to a new one of the listener. */
function movedAlong({ kind, before, after }: Difference<BootFacts>, all: readonly Difference<BootFacts>[]): boolean {
  if (kind !== 'uefi' || !before || !after || !('url' in before && 'url' in after)) return false;
  const [was, is] = [URL.parse(before.url), URL.parse(after.url)];
  if (!was || !is || was.href.replace(was.host, is.host) !== is.href) return false;
  const at = (origins: readonly string[] = [], { host }: URL) =>
    origins.some((origin) => URL.parse(origin)?.host === host);
  return all.some((row) => row.kind === 'listen' && at(row.before, was) && at(row.after, is));
}
