// A strict reader of XML from another machine. Each element has its position in the text, so that a part can be sent
// back exactly as received. No document types, no entities but the five, and limits on everything.
import { setImmediate } from 'node:timers/promises';
import type { XmlElement } from './element.ts';
import { XmlFault, type XmlRules } from './rules.ts';
import { type Decoding, decode, isXmlText, plainLines } from './text.ts';

/** What the elements of a document have in common. */
interface Source extends Decoding {
  text: string;
  /** Elements, and what counts as such. */
  elements: number;
  attributes: number;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_CHILDREN: Opened[] = [];

/** Small, because a document may have many of them. */
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

/** Different names that elements share in memory, and characters of one, at most. */
const MOST_NAMES = 1000;
const LONGEST_NAME = 255;
/** Names that must not be looked up on an object. */
const RESERVED = /^(?:__\w+__|constructor|prototype|hasOwnProperty|toString|valueOf)$/;

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const TAG = new RegExp(`^<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g');
const DECLARATION = /^\uFEFF?<\?xml\s[^<>]*\?>/;
const BLANK = /^\s*$/;

/** @throws XmlFault */
export function parseXml(source: string, rules: XmlRules): XmlElement {
  const parsing = new Reading(source, rules).parts();
  for (;;) {
    const { done, value } = parsing.next();
    if (done) return value;
  }
}

/** Milliseconds of reading after which others get their turn. */
const STRETCH_MS = 25;

/** The same for what may be large: lets others in between. @throws XmlFault; the reason of `signal` */
export async function parseXmlInParts(source: string, rules: XmlRules, signal?: AbortSignal): Promise<XmlElement> {
  const parsing = new Reading(source, rules).parts();
  let began = performance.now();
  for (;;) {
    const { done, value } = parsing.next();
    if (done) return value;
    if (performance.now() - began < STRETCH_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    began = performance.now();
  }
}

/** Tags, comments and sections between two looks at the clock. */
const STRIDE = 500;

class Reading {
  readonly #within: Source;
  readonly #rules: XmlRules;
  readonly #names = new Map<string, Named>();
  #at = 0;
  #depth = 0;
  #root: Opened | null = null;
  #open: Opened | null = null;

  constructor(text: string, rules: XmlRules) {
    this.#rules = rules;
    this.#within = { text, rules, elements: 0, attributes: 0, references: 0 };
  }

  *parts(): Generator<void, XmlElement> {
    const { text } = this.#within;
    if (this.#rules.strict && !isXmlText(text)) throw this.#malformed('a character that XML does not have');
    this.#at = DECLARATION.exec(text)?.[0].length ?? (text.startsWith('\uFEFF') ? 1 : 0);
    for (let stride = 1; this.#at < text.length; stride++) {
      if (stride % STRIDE === 0) yield;
      const next = text.indexOf('<', this.#at);
      const until = next < 0 ? text.length : next;
      if (until > this.#at) this.#characters(text.slice(this.#at, until));
      this.#at = until;
      if (next >= 0 && !this.#special(text)) this.#tag(text);
    }
    if (!this.#root || this.#open) throw this.#malformed('it ends too early');
    return this.#root;
  }

  #malformed(what: string): XmlFault {
    return new XmlFault(this.#at, 'malformed', what);
  }

  #bounded(count: number, most: number): void {
    if (count > most) throw new XmlFault(this.#at, 'too_many', 'parts beyond the bounds', most);
  }

  #characters(raw: string): void {
    const { text: most, strict } = this.#rules;
    if (raw.length > most) throw new XmlFault(this.#at, 'too_large', 'a text beyond the bounds', most);
    // XML 1.0, 2.4: not in a text.
    if (strict && raw.includes(']]>')) throw this.#malformed('the end of a section without its start');
    if (this.#open) this.#open.text += decode(raw, this.#at, this.#within);
    else if (!BLANK.test(raw)) throw this.#malformed('text outside of the document');
  }

  /** Over a comment, section or instruction that begins here; false for a tag. */
  #special(text: string): boolean {
    const at = this.#at;
    const section = this.#open !== null && text.startsWith('<![CDATA[', at);
    const comment = text.startsWith('<!--', at);
    if (!section && !comment && !(this.#rules.instructions && text.startsWith('<?', at))) return false;
    const closing = section ? ']]>' : comment ? '-->' : '?>';
    const end = text.indexOf(closing, at + (comment ? 4 : 2));
    if (end < 0) throw this.#malformed('a comment or section without end');
    this.#bounded(++this.#within.elements, this.#rules.elements);
    if (section) {
      const { text: most } = this.#rules;
      if (end - at > most) throw new XmlFault(at, 'too_large', 'a text beyond the bounds', most);
      this.#open!.text += plainLines(text.slice(at + 9, end));
    }
    this.#at = end + 3 - (closing === '?>' ? 1 : 0);
    return true;
  }

  #tag(text: string): void {
    const tag = TAG.exec(text.slice(this.#at, this.#at + this.#rules.tag));
    if (!tag) throw this.#noTag(text);
    const [whole, closing, name, attributes, empty] = tag as unknown as [string, string, string, string, string];
    const from = this.#at + whole.length;
    if (closing) {
      if (this.#open?.name !== name || attributes !== '' || empty)
        throw this.#malformed('a closing tag without its opening one');
      this.#close(this.#at);
    } else {
      if (this.#root && !this.#open) throw this.#malformed('a second root');
      const { depth, elements } = this.#rules;
      if (++this.#depth > depth) throw new XmlFault(this.#at, 'too_deep', 'elements beyond the bounds', depth);
      this.#bounded(++this.#within.elements, elements);
      const [named, own] = [this.#named(name), this.#attributes(attributes)];
      this.#open = new Opened(named, own, this.#open, this.#within, from);
      this.#root ??= this.#open;
      if (empty) this.#close(from);
    }
    this.#at = from;
  }

  #close(end: number): void {
    this.#open!.to = end;
    this.#open = this.#open!.parent;
    this.#depth -= 1;
  }

  #named(name: string): Named {
    const known = this.#names.get(name);
    if (known) return known;
    if (name.length > LONGEST_NAME || RESERVED.test(name)) throw this.#malformed('a name that is not accepted');
    const named = { name, local: name.slice(name.indexOf(':') + 1) };
    if (this.#names.size < MOST_NAMES) this.#names.set(name, named);
    return named;
  }

  #attributes(source: string): ReadonlyMap<string, string> {
    if (source === '') return NO_ATTRIBUTES;
    const found = new Map<string, string>();
    for (const [, name, double, single] of source.matchAll(ATTRIBUTE)) {
      if (found.has(name!)) throw this.#malformed('an attribute twice');
      if (RESERVED.test(name!)) throw this.#malformed('a name that is not accepted');
      found.set(name!, decode(double ?? single ?? '', this.#at, this.#within));
      this.#bounded(found.size, this.#rules.attributes);
    }
    this.#within.attributes += found.size;
    this.#bounded(this.#within.attributes, this.#rules.attributes_all);
    return found;
  }

  /** Why that is none: only a document type and a long one have reasons of their own. */
  #noTag(text: string): XmlFault {
    const at = this.#at;
    if (text.startsWith('<!', at)) return new XmlFault(at, 'doctype', 'a document type or entity');
    const { tag } = this.#rules;
    const begun = text.slice(at + 1, at + tag);
    const bare = begun.replace(/"[^"]*(?:"|$)|'[^']*(?:'|$)/g, '');
    return text.length < at + tag || begun.includes('<') || bare.includes('>')
      ? this.#malformed('no tag, or one of a kind that is not accepted')
      : new XmlFault(at, 'long_tag', 'a tag beyond the bounds', tag);
  }
}
