// A descriptor's XML as plain nodes, looked up by local names: builders differ in which prefixes they write.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { OvaFault } from './fault.ts';
import { bounded } from './xml-bounds.ts';
import { plainText } from './xml-text.ts';

const VMW = 'http://www.vmware.com/schema/ovf';

export interface XmlNode {
  /** Local name. */
  name: string;
  /** Namespace of the element as its prefix says; '' when undeclared. */
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  /** Those in VMware's own namespace. */
  vmw: ReadonlyMap<string, string>;
  children: XmlNode[];
  /** Its own text, trimmed. */
  text: string;
}

const PARSER = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * The root element, in parts of much the same length: whoever can't wait for the whole lets others in between.
 * @throws OvaFault descriptor_encoding, _doctype, _entity, _malformed, _too_…
 */
export function* readXml(bytes: Buffer): Generator<void, { root: XmlNode; text: string }> {
  const text = decoded(bytes);
  const eased = bounded(text);
  yield;
  if (XMLValidator.validate(eased) !== true) throw new OvaFault('descriptor_malformed');
  yield;
  const ordered = parsed(eased);
  yield;
  const root = nodes(ordered, null)[0];
  if (!root) throw new OvaFault('descriptor_malformed');
  return { root, text };
}

/** First child of this name. */
export const child = (of: XmlNode | undefined, name: string): XmlNode | undefined =>
  of?.children.find((node) => node.name === name);
export const children = (of: XmlNode | undefined, name: string): XmlNode[] =>
  of?.children.filter((node) => node.name === name) ?? [];

/** What the parser makes of an element with its order kept: {tag: children[], ':@': attributes} or {'#text': …}. */
type Ordered = Record<string, unknown>;

function parsed(text: string): Ordered[] {
  try {
    return PARSER.parse(text) as Ordered[];
  } catch {
    // Its message may quote the text.
    throw new OvaFault('descriptor_malformed');
  }
}

/** What one element declares, and those around it: looked up from the inside, since copies would multiply. */
type Prefixes = { own: ReadonlyMap<string, string>; outer: Prefixes } | null;

function namespaceOf(prefix: string, prefixes: Prefixes): string {
  for (let each = prefixes; each; each = each.outer) {
    const uri = each.own.get(prefix);
    if (uri !== undefined) return uri;
  }
  return '';
}

function nodes(ordered: Ordered[], outer: Prefixes): XmlNode[] {
  const found: XmlNode[] = [];
  for (const item of ordered) {
    const tag = Object.keys(item).find((key) => key !== ':@' && key !== '#text' && key !== '#cdata');
    if (tag !== undefined) found.push(node(tag, item, outer));
  }
  return found;
}

function node(tag: string, item: Ordered, outer: Prefixes): XmlNode {
  const written = Object.entries((item[':@'] ?? {}) as Record<string, string>);
  const prefixes = declared(written, outer);
  const [prefix, name] = split(tag);
  const attributes = new Map<string, string>();
  const vmw = new Map<string, string>();
  for (const [full, value] of written) {
    const [of, local] = split(full);
    if (of === 'xmlns' || full === 'xmlns') continue;
    const into = of !== '' && namespaceOf(of, prefixes) === VMW ? vmw : attributes;
    // With and without a prefix: OVF's own attribute counts.
    if (!into.has(local) || of === 'ovf') into.set(local, plainText(value));
  }
  const inside = (item[tag] ?? []) as Ordered[];
  return {
    name,
    namespace: namespaceOf(prefix, prefixes),
    attributes,
    vmw,
    children: nodes(inside, prefixes),
    text: inside.map(textOf).join('').trim(),
  };
}

function declared(written: [string, string][], outer: Prefixes): Prefixes {
  const own = written.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (own.length === 0) return outer;
  return { own: new Map(own.map(([name, uri]) => [name.slice(6), plainText(uri)] as const)), outer };
}

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function textOf(item: Ordered): string {
  if (typeof item['#text'] === 'string') return plainText(item['#text']);
  const cdata = item['#cdata'];
  return Array.isArray(cdata) ? cdata.map((part: Ordered) => String(part['#text'] ?? '')).join('') : '';
}

function decoded(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const encoding = /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']{1,40})/.exec(text.slice(0, 200))?.[1] ?? 'utf-8';
    if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return text;
  } catch {
    // Refused below.
  }
  throw new OvaFault('descriptor_encoding');
}
