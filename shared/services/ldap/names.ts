// Names in the directory (RFC 4514). What becomes part of a distinguished name is of characters that need no escape there,
// in a filter (RFC 4515) or in LDIF (RFC 2849), so that none of the three can be broken out of. Pure.
import * as v from 'valibot';

const PART = /^(?:dc|o|ou)=[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Lower case, without blanks around parts. */
export const canonicalSuffix = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().replace(/\s*=\s*/, '='))
    .join(',');

/** The fault of a canonical suffix, in words; null when it has none. */
export function suffixFault(suffix: string): string | null {
  const parts = suffix.split(',');
  if (parts.length > 8) return 'At most 8 parts.';
  if (!parts.every((part) => PART.test(part)))
    return 'Parts dc=, o= and ou= of letters, digits and inner hyphens, separated by commas, such as dc=lab,dc=example.';
  return null;
}

/** Whether a distinguished name is at or below another one; both canonical. */
export const isBelow = (name: string, top: string): boolean => name === top || name.endsWith(`,${top}`);

/** `dc=lab,dc=example` → `lab.example`; empty where no part is dc. */
export const domainOf = (suffix: string): string =>
  suffix
    .split(',')
    .filter((part) => part.startsWith('dc='))
    .map((part) => part.slice(3))
    .join('.');

/** Names of users and bind accounts. */
export const ACCOUNT_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
export const accountName = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(
      ACCOUNT_NAME,
      'Lower-case letters and digits, with dots, hyphens and underscores between them; 64 at most.',
    ),
    v.description(what),
  );

/** Names of groups: also capitals and single blanks. */
export const GROUP_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]| (?! )){0,62}(?<! )$/;
export const groupName = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(
      GROUP_NAME,
      'Letters, digits, dots, hyphens, underscores and single blanks between words; 63 at most, beginning with a letter or digit.',
    ),
    v.description(what),
  );

/** Version 4 of the variant of RFC 9562, 4.1 and 5.4. */
export function uuidOf(random: Buffer): string {
  const bytes = Buffer.from(random);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
