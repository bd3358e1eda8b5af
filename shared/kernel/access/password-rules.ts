// Which passwords a person may have: 12 to 128 characters, none that is commonly used, that is only the user's name, or
// that is a plain pattern. No rule about kinds of characters (NIST SP 800-63B, 3.1.1.2).
import { invalid } from '../../ground/problems.ts';
import { hashPassword, PASSWORD_MIN_LENGTH } from './password.ts';

/** Characters as a person counts them, not code units: an emoji is one. */
export const PERSON_PASSWORD_MAX = 128;
/** Shorter words are in too many passwords to say anything. */
const WORD_LEAST = 4;
/** Neighbours on keyboards (US, German and French; rows and columns), digits and the alphabet. */
const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '`1234567890-=',
  '!@#$%^&*()_+',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiopü+',
  'asdfghjklöä#',
  'yxcvbnm,.-',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn,;:!',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
  '8ik,',
  '9ol.',
];
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
/** Characters of a row that make a run; two neighbours occur in many words. */
const RUN_LEAST = 3;
/** A repeated piece up to this many characters is a pattern. */
const UNIT_MOST = 4;

/** The fault of a password for this user, as a sentence; null when it has none. The list is read at its first use. */
export async function passwordFault(password: string, user_name: string): Promise<string | null> {
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH) return `At least ${PASSWORD_MIN_LENGTH} characters.`;
  if (length > PERSON_PASSWORD_MAX) return `At most ${PERSON_PASSWORD_MAX} characters.`;
  const plain = password.normalize('NFKC').toLowerCase();
  if (isOnlyName(plain, user_name.toLowerCase())) {
    return 'The password must not be the user name, not even with digits and signs.';
  }
  const unit = repeatedUnit(plain.replaceAll(/\s/gu, ''));
  if (unit.length <= UNIT_MOST || isPattern(unit)) {
    return 'This password is a simple pattern: a repetition, a sequence, or neighbouring keys.';
  }
  if (await isCommon(unit)) return 'This is a common password, or one with only digits and signs added.';
  return null;
}

/** Hash of an acceptable password. @throws Problem 422 at `pointer` saying which rule it breaks. */
export async function acceptPassword(password: string, user_name: string, pointer = '/password'): Promise<string> {
  const detail = await passwordFault(password, user_name);
  if (detail !== null) throw invalid({ pointer, detail });
  return hashPassword(password);
}

function isOnlyName(plain: string, name: string): boolean {
  return plain.includes(name) && !/\p{L}/u.test(plain.replaceAll(name, ''));
}

/** The shortest piece that the text repeats; the whole text when it repeats none. */
function repeatedUnit(text: string): string {
  const again = `${text}${text}`.indexOf(text, 1);
  return text.slice(0, again === -1 ? text.length : again);
}

/** Whether the whole text is made of runs along rows. */
function isPattern(text: string): boolean {
  const reached = new Set([0]);
  for (let from = 0; from < text.length; from++) {
    if (!reached.has(from)) continue;
    for (let to = from + RUN_LEAST; to <= text.length; to++) {
      const piece = text.slice(from, to);
      if (!RUNS.some((run) => run.includes(piece))) break;
      reached.add(to);
    }
  }
  return reached.has(text.length);
}

async function isCommon(text: string): Promise<boolean> {
  const common = await commonPasswords();
  const signless = text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  const word = text.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  return common.has(text) || common.has(signless) || (word.length >= WORD_LEAST && common.has(word));
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Half a megabyte that a service needs only when somebody chooses a password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(
    // The package is CommonJS: only `default` is there in a bundle too.
    ({ default: { dictionary } }) => new Set(dictionary['passwords-common']),
  );
  return list;
}
