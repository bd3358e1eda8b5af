// A line of a log without what could be a secret. Neither the service nor its daemons log one: this holds where one does by
// mistake, and for the password of the first start, which stands in the journal because it was printed to the console.

export const MASKED = '[masked]';

// Each repetition is bounded: a line that somebody else wrote must not take long.
const NAMED =
  /\b([\w-]{0,32}(?:password|passwd|passphrase|secret|token|credential|capability|cookie|authorization|api[-_]?key)[\w-]{0,32})(["']?\s?[=:]\s?)("[^"]*"|'[^']*'|(?:(?:Bearer|Basic)\s)?[^\s,;&]+)/gi;
const SCHEME = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g;
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----.*/s;
/** user:password@ of an address. */
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,15}:\/\/)[^\s/@:]{1,256}:[^\s/@]{1,256}@/gi;
/** `showPassword` of the runtime: four blanks and one word, on a line of its own. */
const FIRST_PASSWORD = /^ {4}\S+$/;

/** Pure. `own`: of the management service itself, whose first start prints a password. */
export function withoutSecrets(line: string, own: boolean): string {
  if (own && FIRST_PASSWORD.test(line)) return `    ${MASKED}`;
  return line
    .replace(PEM, MASKED)
    .replace(IN_ADDRESS, `$1${MASKED}@`)
    .replace(NAMED, `$1$2${MASKED}`)
    .replace(SCHEME, `$1 ${MASKED}`);
}
