// Limits of a medium, and the error for everything that is refused. An ESXi image of today has about 250 files with 700
// MB; a vendor's own image has twice that.

export const LIMITS = {
  members: 10_000,
  folders: 2_000,
  depth: 12,
  /** Characters of a name, and of a whole path. */
  name: 200,
  path: 400,
  /** Bytes of one file, and of all of them. */
  file: 4 * 2 ** 30,
  total: 8 * 2 ** 30,
  image: 8 * 2 ** 30,
  /** Bytes of boot.cfg, which an installer reads at once. */
  bootConfig: 64 << 10,
} as const;

/** The medium is refused as a whole. The reason may be shown: it names members, never their content. */
export class MediaFault extends Error {}

const SHOWN = 80;

/** The name of a member in a sentence: quoted, control characters escaped, cut. */
export function shown(name: string): string {
  const text = JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name);
  return text.replaceAll(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
