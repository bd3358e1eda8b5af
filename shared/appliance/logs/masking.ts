// A line of a log without what could be a secret. Neither the service nor its daemons log one: this holds where one does by
// mistake, and for the password of the first start, which stands in the journal because it was printed to the console.

export const MASKED = '[masked]';

// Each repetition is bounded, or ends where the line does: a line that somebody else wrote must not take long. Where it is not
// clear where a secret ends, more is masked.

/** To the same quote, which may be that of JSON inside JSON (`\"`), or to the end. */
const QUOTED = String.raw`(?<quote>\\*["'])[^]*?(?:(?<!\\)\k<quote>|$)`;
/** A name may have more after it: `token_value`. `::` is that of LDIF (RFC 2849). */
const AFTER = String.raw`[\w-]{0,32}\\*["']?\s{0,4}[=:]{1,2}\s{0,4}`;
const NAMES =
  'password|passwd|passphrase|passcode|\\bpwd|rootpw|bindpw|secret|token|credential|capability|(?:api|private)[-_]?key';
const NAMED = new RegExp(
  String.raw`((?:${NAMES})${AFTER})(?:${QUOTED}|(?:(?:Bearer|Basic|Digest)\s)?\S+?(?=&[\w.-]{1,64}=|[,;]?(?:\s|$)))`,
  'gi',
);
/** Header fields whose value has blanks and semicolons: all of the line. */
const FIELD = new RegExp(String.raw`((?:authorization|cookie)${AFTER})(?:${QUOTED}|[^\r\n]+)`, 'gi');
const SCHEME = /\b(Bearer|bearer|BEARER|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g;
const PEM = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*/s;
/** A daemon writes a key line by line, and each is an entry of its own: those after the first have no mark. */
const PEM_LINE = /^\s{0,8}[A-Za-z0-9+/]{40,76}={0,2}\s{0,8}$/gm;
/** `user:password@` or `token@` of an address. */
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,15}:\/\/)(?:[^\s/?#"']{1,256}|[^\s/@:"']{0,256}:[^\s@"']{1,256})@/gi;
/** Known by their form: JSON web tokens, age identities, and hashes of passwords, of crypt(5) and of LDAP. */
const FORMED = [
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\bAGE-SECRET-KEY-[A-Z0-9-]+/gi,
  /\$(?:1|2[abxy]|5|6|7|g?y|argon2(?:id|i|d))\$[^\s"']+/g,
  /\{(?:CRYPT|ARGON2|PBKDF2[\w-]{0,16}|S?(?:SHA|MD5)[\d-]{0,4})\}[^\s"']+/gi,
];
/** `showPassword` of the runtime: four blanks and one word, on a line of its own. */
const FIRST_PASSWORD = /^ {4}\S+$/;

/** Pure. `own`: of the management service itself, whose first start prints a password. */
export function withoutSecrets(line: string, own: boolean): string {
  if (own && FIRST_PASSWORD.test(line)) return `    ${MASKED}`;
  const plain = line
    .replace(PEM, MASKED)
    .replace(PEM_LINE, MASKED)
    .replace(IN_ADDRESS, `$1${MASKED}@`)
    .replace(FIELD, `$1${MASKED}`)
    .replace(NAMED, `$1${MASKED}`)
    .replace(SCHEME, `$1 ${MASKED}`);
  return FORMED.reduce((text, form) => text.replace(form, MASKED), plain);
}
