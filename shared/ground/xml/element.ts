// An element of a document that was read, and what is looked up around it: builders differ in which prefixes they
// write.

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
  /** The raw text between its tags. */
  source(): string;
}

/** The first child of that name, whatever its prefix. */
export const childOf = (element: XmlElement | null | undefined, local: string): XmlElement | null =>
  element?.children.find((child) => child.local === local) ?? null;

export const childrenOf = (element: XmlElement | null | undefined, local: string): XmlElement[] =>
  element?.children.filter((child) => child.local === local) ?? [];

/** Text of a child; null when there is none. */
export const textOf = (element: XmlElement | null | undefined, local: string): string | null =>
  childOf(element, local)?.text ?? null;

/** Prefix (empty: none) and local name. */
export function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** The namespace of a prefix; the empty prefix for the default. Null: it is not declared. */
export function namespaceOf(element: XmlElement, prefix: string): string | null {
  const declared = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  for (let each: XmlElement | null = element; each; each = each.parent) {
    const value = each.attributes.get(declared);
    if (value !== undefined) return value;
  }
  return null;
}

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

/** Its `xsi:type` as written, whatever the prefix of XMLSchema-instance is. */
export function writtenTypeOf(element: XmlElement): string | null {
  for (const [name, value] of element.attributes) {
    if (name.endsWith(':type') && namespaceOf(element, name.slice(0, -5)) === XSI) return value;
  }
  return null;
}

/** The same without a prefix: `InvalidLogin`. */
export function typeOf(element: XmlElement | null | undefined): string | null {
  const written = element ? writtenTypeOf(element) : null;
  return written === null ? null : written.slice(written.indexOf(':') + 1);
}
