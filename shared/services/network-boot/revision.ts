// The revision of a Kickstart: SHA-256 of its full text, in the one form in which texts are kept.
import { createHash } from 'node:crypto';

/** Line feeds only, one at the end; what an editor on another system adds is no part of the text. */
export function canonicalText(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** Of a canonical text; 64 hexadecimal digits. */
export function textRevision(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
