// One way to the file's key: its kind, its arguments, and the key wrapped in that way.
import { base64 } from './primitives.ts';

/** Characters of a line of the body; a shorter one ends it. */
export const BODY_LINE = 64;
export const FILE_KEY_BYTES = 16;

export interface Stanza {
  kind: string;
  args: readonly string[];
  body: Buffer;
}

/** As it stands in the header, with its newline. */
export function stanzaText({ kind, args, body }: Stanza): string {
  const text = base64(body);
  const lines: string[] = text.match(new RegExp(`.{1,${BODY_LINE}}`, 'g')) ?? [];
  if (text.length % BODY_LINE === 0) lines.push('');
  return `-> ${[kind, ...args].join(' ')}\n${lines.join('\n')}\n`;
}
