// Every path of the boot listener: written for scripts and boot.cfg, and read from requests.

export const MENU_PATH = '/boot/menu.ipxe';
export const START_PATH = '/boot/start.ipxe';

/** Digest of the applied manifest, which the probe compares. */
export const APPLIED_PATH = '/boot/applied.txt';
/** Folder of the first boot programs, for firmware that fetches over HTTP. */
export const IPXE_PATH = '/boot/ipxe/';

/** All files of an attempt are below its claim, so that a loader finds them beside itself. */
export const attemptPath = (claim: string, file: string): string => `/boot/attempts/${claim}/${file}`;
export const POLL_FILE = 'poll.ipxe';
export const BOOT_CONFIG_FILE = 'boot.cfg';

/** Folder of a medium's files, which have no secrets. */
export const mediaFolder = (media_id: string): string => `/boot/media/${media_id}`;

/** `00:50:56:01:02:03` → `01-00-50-56-01-02-03`, the form of PXE file names, with the hardware type in front. */
export const dashedMac = (mac: string): string => `01-${mac.replaceAll(':', '-')}`;
/** The reverse; null for anything else. */
export function macOfDashed(text: string): string | null {
  const [, mac] = /^01-((?:[0-9a-f]{2}-){5}[0-9a-f]{2})$/.exec(text) ?? [];
  return mac?.replaceAll('-', ':') ?? null;
}

/** The only path of a Kickstart. */
export const kickstartPath = (mac: string, revision: string, capability: string): string =>
  `/boot/kickstarts/${dashedMac(mac)}/${revision}/${capability}.cfg`;

export type BootFilePath =
  | { kind: 'medium'; media_id: string; name: string }
  | { kind: 'loader'; claim: string; name: string };

/**
 * A path of a file that is streamed: `/boot/media/<id>/<name>`, or `/boot/attempts/<claim>/<name>` for the loader of an
 * attempt. Null for every other path, also for one with an empty, `.` or `..` segment.
 */
export function bootFilePath(rawPath: string): BootFilePath | null {
  const [, boot, area, owner, ...rest] = rawPath.split('/');
  if (boot !== 'boot' || !owner || rest.length === 0) return null;
  const names = rest.map(decoded);
  if (names.some((name) => name === null || name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))) {
    return null;
  }
  const name = names.join('/');
  if (area === 'media' && /^[A-Za-z0-9_-]{1,64}$/.test(owner)) return { kind: 'medium', media_id: owner, name };
  if (area === 'attempts' && /^[A-Za-z0-9_-]{43}$/.test(owner)) return { kind: 'loader', claim: owner, name };
  return null;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
