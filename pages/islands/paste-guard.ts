// What may be pasted into a terminal. A page can put on the clipboard what nobody sees: escape sequences, line ends that run a
// command at once, letters that turn the direction of reading.

export interface Pasted {
  /** What is left. */
  text: string;
  lines: number;
  /** Characters that were left out. */
  removed: number;
  /** Whether a person is to look at it first. */
  asks: boolean;
}

/** Control characters but tab and line ends, those of C1, and those that set or turn the direction of text or show nothing. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out.
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

export function guarded(pasted: string): Pasted {
  const whole = pasted.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const text = whole.replaceAll(HIDDEN, '');
  const lines = text.split('\n').length;
  const removed = whole.length - text.length;
  return { text, lines, removed, asks: lines > 1 || removed > 0 };
}
