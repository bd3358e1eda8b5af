// A strict reader of small XML documents that another machine wrote. Each element knows where it stands in the text, so
// that a part of an answer can be sent back exactly as it came. No document types, no entities but the five, and bounds
// on depth and number.
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../ground/problems.ts';

export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** Without the prefix. */
  readonly local: string;
  /** As written → decoded value. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Decoded characters of its own, without those of its children. */
  readonly text: string;
  readonly parent: XmlElement | null;
  /** What is between its tags, as it stands there. */
  source(): string;
}

/** What the elements of a document have in common. */
interface Source {
  text: string;
  elements: number;
  /** Entities and character references so far. */
  references: number;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_CHILDREN: Opened[] = [];

/** Small, because an answer may have many of them. */
class Opened implements XmlElement {
  readonly name: string;
  readonly local: string;
  readonly attributes: ReadonlyMap<string, string>;
  children: Opened[] = NO_CHILDREN;
  text = '';
  readonly parent: Opened | null;
  readonly within: Source;
  readonly from: number;
  to: number;

  constructor(
    named: Named,
    attributes: ReadonlyMap<string, string>,
    parent: Opened | null,
    within: Source,
    at: number,
  ) {
    this.name = named.name;
    this.local = named.local;
    this.attributes = attributes;
    this.parent = parent;
    this.within = within;
    this.from = at;
    this.to = at;
    if (parent?.children === NO_CHILDREN) parent.children = [];
    parent?.children.push(this);
  }

  source(): string {
    return this.within.text.slice(this.from, this.to);
  }
}

interface Named {
  name: string;
  local: string;
}

/** Elements of the whole document that this one belongs to. */
export const elementsAround = (element: XmlElement): number =>
  element instanceof Opened ? element.within.elements : 0;

/** Says where and what, never what stood there. */
export class XmlFault extends Error {
  constructor(at: number, what: string) {
    super(`Not well-formed at character ${at}: ${what}.`);
    this.name = 'XmlFault';
  }
}

const DEEPEST = 100;
const MOST_ELEMENTS = 250_000;
const MOST_REFERENCES = 100_000;
/** Different names that are kept once for all elements that have them. */
const MOST_NAMES = 1000;
/** Characters of a tag with its attributes, and of a text without a tag in it. */
const LONGEST_TAG = 256 * 1024;
const LONGEST_TEXT = 4 * 1024 * 1024;

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const TAG = new RegExp(`^<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g');
const DECLARATION = /^\uFEFF?<\?xml\s[^<>]*\?>/;
const BLANK = /^\s*$/;

/** @throws XmlFault */
export function parseXml(source: string): XmlElement {
  const parsing = parts(source);
  for (;;) {
    const { done, value } = parsing.next();
    if (done) return value;
  }
}

/** Milliseconds of reading after which others get their turn. */
const STRETCH_MS = 25;

/** The same for what may be large: lets others in between. @throws XmlFault */
export async function parseXmlInParts(source: string): Promise<XmlElement> {
  const parsing = parts(source);
  let began = performance.now();
  for (;;) {
    const { done, value } = parsing.next();
    if (done) return value;
    if (performance.now() - began < STRETCH_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}

/** Tags, comments and sections between two looks at the clock. */
const STRIDE = 500;

function* parts(source: string): Generator<void, XmlElement> {
  let at = DECLARATION.exec(source)?.[0].length ?? (source.startsWith('\uFEFF') ? 1 : 0);
  let root: Opened | null = null;
  let open: Opened | null = null;
  let depth = 0;
  let stride = 0;
  const within: Source = { text: source, elements: 0, references: 0 };
  const names = new Map<string, Named>();
  const namedAs = (name: string): Named => {
    const known = names.get(name);
    if (known) return known;
    const named = { name, local: name.slice(name.indexOf(':') + 1) };
    if (names.size < MOST_NAMES) names.set(name, named);
    return named;
  };

  const characters = (raw: string, decoded: boolean) => {
    if (raw.length > LONGEST_TEXT) throw new XmlFault(at, 'a text beyond the bounds');
    if (open) open.text += decoded ? raw : decode(raw, at, within);
    else if (!BLANK.test(raw)) throw new XmlFault(at, 'text outside of the document');
  };
  const close = (end: number) => {
    open!.to = end;
    open = open!.parent;
    depth -= 1;
  };

  while (at < source.length) {
    if (++stride % STRIDE === 0) yield;
    const next = source.indexOf('<', at);
    const until = next < 0 ? source.length : next;
    if (until > at) characters(source.slice(at, until), false);
    at = until;
    if (next < 0) break;
    const skipped = source.startsWith('<!--', at) ? comment(source, at) : null;
    if (skipped !== null) {
      at = skipped;
      continue;
    }
    if (source.startsWith('<![CDATA[', at) && open) {
      const end = source.indexOf(']]>', at);
      if (end < 0) throw new XmlFault(at, 'a CDATA section without end');
      characters(source.slice(at + 9, end), true);
      at = end + 3;
      continue;
    }
    const tag = TAG.exec(source.slice(at, at + LONGEST_TAG));
    if (!tag) throw new XmlFault(at, 'no tag, or one of a kind that is not accepted');
    const [whole, closing, name, attributes, empty] = tag as unknown as [string, string, string, string, string];
    if (closing) {
      if (open?.name !== name || attributes !== '' || empty)
        throw new XmlFault(at, 'a closing tag without its opening one');
      close(at);
    } else {
      if (root && !open) throw new XmlFault(at, 'a second root');
      if (++depth > DEEPEST || ++within.elements > MOST_ELEMENTS) throw new XmlFault(at, 'beyond the bounds');
      const from = at + whole.length;
      const element: Opened = new Opened(namedAs(name), attributesOf(attributes, at, within), open, within, from);
      root ??= element;
      open = element;
      if (empty) close(from);
    }
    at += whole.length;
  }
  if (!root || open) throw new XmlFault(at, 'it ends too early');
  return root;
}

function comment(source: string, at: number): number {
  const end = source.indexOf('-->', at + 4);
  if (end < 0) throw new XmlFault(at, 'a comment without end');
  return end + 3;
}

function attributesOf(source: string, at: number, within: Source): ReadonlyMap<string, string> {
  if (source === '') return NO_ATTRIBUTES;
  const found = new Map<string, string>();
  for (const [, name, double, single] of source.matchAll(ATTRIBUTE)) {
    if (found.has(name!)) throw new XmlFault(at, 'an attribute twice');
    found.set(name!, decode(double ?? single ?? '', at, within));
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,10}));/y;

/**
 * One reference after the other: the first that is none ends it, and no list of them is made. Those of the whole document
 * are counted, since each may stand for a text of its own.
 */
function decode(raw: string, at: number, within: Source): string {
  let next = raw.indexOf('&');
  if (next < 0) return raw;
  const pieces: string[] = [];
  let from = 0;
  for (; next >= 0; next = raw.indexOf('&', from)) {
    if (++within.references > MOST_REFERENCES) throw new XmlFault(at, 'references beyond the bounds');
    REFERENCE.lastIndex = next;
    const found = REFERENCE.exec(raw);
    if (!found) throw new XmlFault(at, 'an unknown entity');
    pieces.push(raw.slice(from, next), characterOf(found, at));
    from = REFERENCE.lastIndex;
  }
  pieces.push(raw.slice(from));
  return pieces.join('');
}

function characterOf([, decimal, hexadecimal, name]: RegExpExecArray, at: number): string {
  if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  if (!(code <= 0x10ffff)) throw new XmlFault(at, 'an unknown entity');
  return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? '\u{fffd}' : String.fromCodePoint(code);
}

/** The first child of that name, whatever its prefix. */
export const childOf = (element: XmlElement | null | undefined, local: string): XmlElement | null =>
  element?.children.find((child) => child.local === local) ?? null;

export const childrenOf = (element: XmlElement | null | undefined, local: string): XmlElement[] =>
  element?.children.filter((child) => child.local === local) ?? [];

/** Text of a child; null when there is none. */
export const textOf = (element: XmlElement | null | undefined, local: string): string | null =>
  childOf(element, local)?.text ?? null;

/** Prefix (empty: the default one) → namespace, of the element and everything around it. */
export function namespacesOf(element: XmlElement): Map<string, string> {
  const found = new Map<string, string>();
  for (let each: XmlElement | null = element; each; each = each.parent) {
    for (const [name, value] of each.attributes) {
      const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : null;
      if (prefix !== null && !found.has(prefix)) found.set(prefix, value);
    }
  }
  return found;
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** Its `xsi:type` as written, whatever prefix stands for XMLSchema-instance. */
export function writtenTypeOf(element: XmlElement): string | null {
  for (const [name, value] of element.attributes) {
    if (!name.endsWith(':type')) continue;
    if (namespaceOf(element, name.slice(0, -5)) === XSI) return value;
  }
  return null;
}

/** The same without a prefix: `InvalidLogin`. */
export function typeOf(element: XmlElement | null | undefined): string | null {
  const written = element ? writtenTypeOf(element) : null;
  return written === null ? null : written.slice(written.indexOf(':') + 1);
}

function namespaceOf(element: XmlElement, prefix: string): string | null {
  for (let each: XmlElement | null = element; each; each = each.parent) {
    const value = each.attributes.get(`xmlns:${prefix}`);
    if (value !== undefined) return value;
  }
  return null;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  // A reader turns a plain one into a space or a line feed.
  ...{ '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' },
};

/** What XML can't hold at all. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

const UNWRITABLE = 'A value has characters that the vSphere API has no way to take; leave out control characters.';

/** For element content and attribute values alike. @throws Problem for characters that XML can't hold */
export function escapeXml(text: string): string {
  if (IMPOSSIBLE.test(text)) throw new Problem('remote_refused', UNWRITABLE);
  return text.replace(/[&<>"'\r\n\t]/g, (sign) => ESCAPES[sign]!);
}
