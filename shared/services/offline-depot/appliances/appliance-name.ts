// Names of OVA files, and the version that is written in them: `VCF-SDDC-Manager-Appliance-9.0.1.0.24962180.ova`.
import * as v from 'valibot';

/** Name of an uploaded file. */
export const applianceNameSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A file name is missing.'),
  v.maxLength(200, 'At most 200 characters.'),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/, 'Letters, digits, dots, hyphens, underscores and plus signs, no folder.'),
  v.regex(/\.ova$/i, 'Only OVA files are accepted: the name ends in .ova.'),
  v.description('Name of the file: letters, digits, dots, hyphens, underscores and plus signs, ending in .ova.'),
);

/** Whether a file of the folder is an OVA, whoever put it there: one name, not hidden. */
export function isApplianceName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return /^[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*\.ova$/i.test(name) && name.length <= 255;
}

/** `9.0.1.0.24962180`; null when none is written there. */
export function versionOf(name: string): string | null {
  return /(?<![\d.])\d{1,9}(?:\.\d{1,9}){1,5}(?![\d.]*\d)/.exec(name)?.[0] ?? null;
}

/** Newest first, by number; those without a version last. */
export function byVersion(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (right[at] ?? -1) - (left[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
