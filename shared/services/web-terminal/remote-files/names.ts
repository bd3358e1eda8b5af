// Names and paths of another machine. It may call a file anything: what is shown has no character that nobody sees, and a path is
// sent as it was given, for the other machine to judge.
import { invalid } from '../../../ground/problems.ts';
import { FILES } from './limits.ts';

/** Control, format and separator characters, lone surrogates, and what is no character. */
const UNSEEN = /[\p{C}\u2028\u2029]/gu;

/** For people: `\u{a}` in place of a line feed. */
export const shownName = (name: string): string =>
  name.replaceAll(UNSEEN, (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`);

const bytes = (text: string): number => Buffer.byteLength(text);

/** Whether another machine may have a file of this name: else a path with it would be another one. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && bytes(name) <= FILES.name && !/[/\0]/.test(name);

/** Absolute, as somebody asked for it. @throws Problem 422 at `pointer` */
export function requirePath(path: string, pointer = '/path'): string {
  if (!path.startsWith('/') || path.includes('\0') || bytes(path) > FILES.path)
    throw invalid({ pointer, detail: `A path begins with / and has at most ${FILES.path} bytes.` });
  return path;
}

/** Of a file that is to be made there. @throws Problem 422 at `/name` */
export function requireNewName(name: string): string {
  if (!isName(name))
    throw invalid({ pointer: '/name', detail: `A name of 1 to ${FILES.name} bytes, without a slash.` });
  if (shownName(name) !== name)
    throw invalid({ pointer: '/name', detail: 'The name has control characters or invisible ones.' });
  return name;
}

export const childOf = (folder: string, name: string): string => `${folder.replace(/\/$/, '')}/${name}`;
/** Of the root: the root. */
export const folderOf = (path: string): string => path.replace(/\/+[^/]*\/*$/, '') || '/';
export const nameOf = (path: string): string => /([^/]*)\/*$/.exec(path)?.[1] ?? '';

const HEX = /[^A-Za-z0-9!#$&+.^_`|~-]/gu;
const percent = (letter: string): string =>
  [...Buffer.from(letter, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Always saved, never shown: `attachment` with the name for browsers of today and of before (RFC 6266, RFC 8187). */
export function attachment(path: string): string {
  const name = shownName(nameOf(path)).toWellFormed() || 'file';
  const plain = name.replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${name.replaceAll(HEX, percent)}`;
}

/** Beside the file that it becomes, and hidden: `.name.1a2b3c4d.part`. */
export function temporaryName(name: string, random: Buffer): string {
  const end = `.${random.toString('hex')}.part`;
  let begin = name;
  while (bytes(begin) > FILES.name - bytes(end) - 1) begin = [...begin].slice(0, -1).join('');
  return `.${begin}${end}`;
}
