// Validation of the staged files: the unit's own, then dnsmasq's of its options for machines that boot.
import type { Host } from '../../ground/machine/host.ts';
import { answering, faultLines, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import type { NetworkBootDesired } from './desired.ts';
import { mediumLoss } from './esxi-media/losses.ts';
import { BOOT_PROGRAMS, FRAGMENT_FILE, IPXE_FOLDER } from './files.ts';
import { listenersOf, pointedTo } from './listening.ts';
import { parseManifest } from './manifest.ts';
import { IPXE_PATH } from './paths.ts';
import { render } from './render.ts';
import { NO_BOOT_URL } from './settings.ts';
import { whyWords } from './words.ts';

const PROGRAM = 'dnsmasq --test';
/** Port of a URL without one. */
const HTTP_PORT = 80;

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: NetworkBootDesired): string[] {
  const { settings, listen, hosts, kickstarts, media } = desired;
  const faults = listen.flatMap(({ name, usable, addresses }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but the boot listener answers on it.`];
    if (addresses.length === 0) return [`Interface ${name} has no fixed address, which boot files are fetched from.`];
    return [];
  });
  if (listen.length === 0) faults.push('Network boot is on but listens on no interface.');
  for (const scope of desired.scopes) {
    const pointed = pointedTo(desired, scope);
    if (scope.boot_listener !== '' && pointed.link === null) {
      faults.push(`Machines of the scope ${scope.name} can’t boot: ${whyWords(pointed.why)}.`);
    }
  }
  for (const { hostname, kickstart_id, media_id } of hosts) {
    if (kickstart_id !== null && !kickstarts.some(({ id }) => id === kickstart_id)) {
      faults.push(`The Kickstart of ${hostname} is missing.`);
    }
    if (media_id !== null && !media.some(({ id }) => id === media_id)) {
      faults.push(`The installer medium of ${hostname} is missing or not ready.`);
    }
  }
  return [...faults, ...urlFaults(desired, settings.uefi_http_url)];
}

/**
 * Faults of a URL at one of our own addresses: only the boot listener's files for firmware, at its port, exist there.
 */
function urlFaults(desired: NetworkBootDesired, text: string): string[] {
  const url = URL.parse(text);
  const listeners = listenersOf(desired).map(({ origin }) => new URL(origin));
  const { hostname, http_port } = desired.settings;
  const own = url && [...listeners.map((listener) => listener.hostname), hostname].includes(url.hostname);
  if (!own) return [];
  if (Number(url.port || HTTP_PORT) !== http_port) {
    return [
      `The URL for UEFI HTTP boot is at port ${url.port || HTTP_PORT}, but the boot listener answers at ${http_port}.`,
    ];
  }
  const served = BOOT_PROGRAMS.map((name) => `${IPXE_PATH}${name}`);
  return served.includes(url.pathname) && url.search === ''
    ? []
    : [`The URL for UEFI HTTP boot is at the boot listener, which serves ${served.join(' and ')} to firmware.`];
}

/** Missing programs that firmware has to start. */
async function programFaults(host: Host, { settings }: NetworkBootDesired): Promise<string[]> {
  if (!host.enforces || (!settings.tftp_enabled && settings.uefi_http_url === NO_BOOT_URL)) return [];
  const faults: string[] = [];
  for (const name of BOOT_PROGRAMS) {
    const { code } = await host.exec('test', ['-r', `${IPXE_FOLDER}/${name}`]);
    if (code !== 0) faults.push(`${IPXE_FOLDER}/${name} is missing: install the package ipxe.`);
  }
  return faults;
}

/** Media whose files are not as they were unpacked: a loader would fail in the middle of an installation. */
async function mediaLosses(host: Host, { media }: NetworkBootDesired): Promise<string[]> {
  const losses = await Promise.all(media.map(async ({ id, name }) => [name, await mediumLoss(host, id)] as const));
  return losses.flatMap(([name, loss]) => (loss === null ? [] : `The installer medium ${name}: ${loss}`));
}

export async function check(
  host: Host,
  desired: NetworkBootDesired,
  staged: (path: string) => string,
): Promise<CheckResult> {
  const answer = answering(PROGRAM);
  if (!desired.settings.enabled) return answer([], 'nothing to check: network boot is off');
  const own = [...desiredFaults(desired), ...(await programFaults(host, desired))];
  const lost = own.length > 0 ? [] : await mediaLosses(host, desired);
  if (own.length + lost.length > 0) return answer([...own, ...lost], 'groundcrew (hosts, media and listeners)');
  const manifest = render(desired, (path) => path)[0]!.content;
  // A manifest that can't be read again must not be applied.
  parseManifest(manifest);
  const conf = staged(FRAGMENT_FILE);
  const { code, stderr } = await host.exec('dnsmasq', ['--test', '-C', conf]);
  if (code === NOT_FOUND && !host.enforces) return answer([], 'groundcrew only: dnsmasq is not installed here');
  return answer(code === 0 ? [] : faultLines('dnsmasq', stderr, (line) => line.replaceAll(conf, FRAGMENT_FILE)));
}
