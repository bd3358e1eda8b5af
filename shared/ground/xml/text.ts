// Characters of XML: decoded between tags and in attributes, and encoded so that decoding gives them back.
import { XmlFault, type XmlRules } from './rules.ts';

/** What XML 1.0 can't hold at all. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
export const isXmlText = (text: string): boolean => !IMPOSSIBLE.test(text);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,10}));/y;

/** Counts the references of one document, since each makes a text in memory. */
export interface Decoding {
  readonly rules: XmlRules;
  references: number;
}

/** XML 1.0, 2.11: one sign ends a line, whatever the file has. */
export const plainLines = (raw: string): string => (raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw);

/** One reference after the other: the first that is none ends it, and no list of them is made. @throws XmlFault */
export function decode(raw: string, at: number, within: Decoding): string {
  const text = plainLines(raw);
  let next = text.indexOf('&');
  if (next < 0) return text;
  const { references, strict } = within.rules;
  const pieces: string[] = [];
  let from = 0;
  for (; next >= 0; next = text.indexOf('&', from)) {
    if (++within.references > references)
      throw new XmlFault(at, 'too_many', 'references beyond the bounds', references);
    REFERENCE.lastIndex = next;
    const found = REFERENCE.exec(text);
    if (!found) throw new XmlFault(at, 'entity', 'an unknown entity');
    pieces.push(text.slice(from, next), characterOf(found, at, strict));
    from = REFERENCE.lastIndex;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

function characterOf([, decimal, hexadecimal, name]: RegExpExecArray, at: number, strict: boolean): string {
  if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  if (!(code <= 0x10ffff)) throw new XmlFault(at, 'entity', 'an unknown entity');
  const character = String.fromCodePoint(code);
  if (strict && !isXmlText(character)) throw new XmlFault(at, 'entity', 'a character that XML does not have');
  return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? '\u{fffd}' : character;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  // A reader turns a plain one into a space or a line feed.
  ...{ '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' },
};

/** For element content and attribute values alike. @throws Error for characters that XML can't hold */
export function escapeXml(text: string): string {
  if (!isXmlText(text)) throw new Error('The text has characters that XML can’t carry, such as control characters.');
  return text.replace(/[&<>"'\r\n\t]/g, (sign) => ESCAPES[sign]!);
}
