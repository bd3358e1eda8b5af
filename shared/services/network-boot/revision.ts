// The revision of a Kickstart: SHA-256 of its full text in canonical form.
import { createHash } from 'node:crypto';

/** Line feeds only, one at the end; without the marks that editors of other systems add. */
export function canonicalText(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** The revision of a canonical text: 64 hexadecimal digits. */
export function textRevision(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
