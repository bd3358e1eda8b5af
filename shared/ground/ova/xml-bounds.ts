// One pass over the text of a descriptor before any parser sees it: no document type, bounded depth, size and number,
// and tags that match. Linear in the text, without recursion.
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { asCdata, requireKnownEntities } from './xml-text.ts';

const NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/;
/** Names that an object of the parser's must not be asked for. */
const RESERVED = /^(?:__\w+__|constructor|prototype|hasOwnProperty|toString|valueOf)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML does not allow
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** The parser takes text character by character, CDATA at once: from this length on that is the difference. */
const LONG = 128;

/**
 * The same document, its long texts as CDATA, without comments and processing instructions: a parser's time with them
 * is for nothing.
 * @throws OvaFault descriptor_doctype, _entity, _malformed, _too_deep, _too_many, _long_tag
 */
export function bounded(text: string): string {
  if (NOT_XML.test(text)) throw new OvaFault('descriptor_malformed');
  const open: string[] = [];
  const eased: string[] = [];
  let copied = 0;
  let elements = 0;
  let attributes = 0;
  let roots = 0;
  requireFewReferences(text);
  for (let at = 0; at < text.length; ) {
    const tag = text.indexOf('<', at);
    const run = text.slice(at, tag < 0 ? text.length : tag);
    requireText(run, open.length > 0);
    if (tag < 0) break;
    if (run.length >= LONG && open.length > 0) {
      eased.push(text.slice(copied, at), asCdata(run));
      copied = tag;
    }
    const special = endOfSpecial(text, tag, open.length > 0);
    if (special > 0) {
      if (++elements > OVA_LIMITS.elements) throw new OvaFault('descriptor_too_many', OVA_LIMITS.elements);
      if (text[tag + 2] !== '[') {
        eased.push(text.slice(copied, tag));
        copied = special;
      }
      at = special;
      continue;
    }
    const [end, own] = endOfTag(text, tag);
    attributes += own;
    if (attributes > OVA_LIMITS.attributes_all) throw new OvaFault('descriptor_too_many', OVA_LIMITS.attributes_all);
    const said = text.slice(tag + 1, end);
    at = end + 1;
    if (said.startsWith('/')) {
      if (open.pop() !== said.slice(1).trimEnd()) throw new OvaFault('descriptor_malformed');
      continue;
    }
    requireKnownEntities(said);
    if (++elements > OVA_LIMITS.elements) throw new OvaFault('descriptor_too_many', OVA_LIMITS.elements);
    if (open.length === 0 && ++roots > 1) throw new OvaFault('descriptor_malformed');
    const name = nameOf(said);
    if (said.endsWith('/')) continue;
    open.push(name);
    if (open.length > OVA_LIMITS.depth) throw new OvaFault('descriptor_too_deep', OVA_LIMITS.depth);
  }
  if (open.length > 0 || roots === 0) throw new OvaFault('descriptor_malformed');
  return copied === 0 ? text : [...eased, text.slice(copied)].join('');
}

/** The end of a comment, processing instruction or CDATA section that begins here; 0 for a tag. */
function endOfSpecial(text: string, at: number, inside: boolean): number {
  const closing = text.startsWith('<!--', at)
    ? '-->'
    : text.startsWith('<?', at)
      ? '?>'
      : text.startsWith('<![CDATA[', at) && inside
        ? ']]>'
        : null;
  if (closing === null) {
    if (text[at + 1] === '!') throw new OvaFault('descriptor_doctype');
    return 0;
  }
  const end = text.indexOf(closing, at + (closing === '-->' ? 4 : 2));
  if (end < 0) throw new OvaFault('descriptor_malformed');
  return end + closing.length;
}

function requireFewReferences(text: string): void {
  let references = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++references > OVA_LIMITS.references) throw new OvaFault('descriptor_too_many', OVA_LIMITS.references);
  }
}

/** Index of the tag's `>`, over quoted values, and how many of these there are. */
function endOfTag(text: string, from: number): [end: number, attributes: number] {
  const most = Math.min(text.length, from + OVA_LIMITS.tag);
  let attributes = 0;
  for (let at = from + 1; at < most; at++) {
    const sign = text[at];
    if (sign === '>') return [at, attributes];
    if (sign === '<') throw new OvaFault('descriptor_malformed');
    if (sign !== '"' && sign !== "'") continue;
    const close = text.indexOf(sign, at + 1);
    if (close < 0) throw new OvaFault('descriptor_malformed');
    if (close >= most) break;
    if (text.slice(at, close).includes('<')) throw new OvaFault('descriptor_malformed');
    if (++attributes > OVA_LIMITS.attributes) throw new OvaFault('descriptor_too_many', OVA_LIMITS.attributes);
    at = close;
  }
  throw most === text.length
    ? new OvaFault('descriptor_malformed')
    : new OvaFault('descriptor_long_tag', OVA_LIMITS.tag);
}

function nameOf(said: string): string {
  const name = NAME.exec(said)?.[0];
  const next = name === undefined ? '' : (said[name.length] ?? '/');
  if (name === undefined || name.length > OVA_LIMITS.name || !/[\s/]/.test(next) || RESERVED.test(name))
    throw new OvaFault('descriptor_malformed');
  return name;
}

function requireText(text: string, inside: boolean): void {
  if (!inside && text.trim() !== '') throw new OvaFault('descriptor_malformed');
  // XML 1.0, 2.4: not in a text. As CDATA each of them would become a section of its own.
  if (text.includes(']]>')) throw new OvaFault('descriptor_malformed');
  requireKnownEntities(text);
}
