// Text of XML as it stands between tags or in an attribute, decoded. Only what XML knows by itself.
import { OvaFault } from './fault.ts';

/** Everything but the five entities and character references. */
const OTHER_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const CHARACTERS = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

/** Can XML 1.0 carry these characters? */
export const isXmlText = (text: string): boolean => CHARACTERS.test(text);

/** @throws OvaFault descriptor_entity for a reference to anything that a document type would have to declare */
export function requireKnownEntities(text: string): void {
  if (OTHER_ENTITY.test(text)) throw new OvaFault('descriptor_entity');
}

/** @throws OvaFault descriptor_entity for a reference to a character that XML does not have */
export function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? '';
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\0';
    if (!isXmlText(character)) throw new OvaFault('descriptor_entity');
    return character;
  });
}

/** The same text for a parser, in a form that needs no decoding. */
export const asCdata = (text: string): string => `<![CDATA[${plainText(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
