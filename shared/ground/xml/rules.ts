// The limits of an XML document, and the fault beyond them.

export interface XmlRules {
  /** Elements within elements. */
  depth: number;
  /** Elements, comments, sections and instructions, all together. */
  elements: number;
  /** Entities and character references of the whole document. */
  references: number;
  /** Of one element, and of all. */
  attributes: number;
  attributes_all: number;
  /** Characters of a tag with its attributes. */
  tag: number;
  /** Characters of a text without a tag in it. */
  text: number;
  /** Does a character that XML forbids end the reading? Some servers write such; then the reference becomes U+FFFD. */
  strict: boolean;
  /** Whether processing instructions are permitted; they are skipped. */
  instructions: boolean;
}

export type XmlFaultReason = 'malformed' | 'doctype' | 'entity' | 'too_deep' | 'too_many' | 'long_tag' | 'too_large';

/** Has position and kind of the fault, never the text there. */
export class XmlFault extends Error {
  readonly reason: XmlFaultReason;
  /** The bound that it is beyond. */
  readonly bound: number | undefined;

  constructor(at: number, reason: XmlFaultReason, what: string, bound?: number) {
    super(`Not well-formed at character ${at}: ${what}.`);
    this.name = 'XmlFault';
    this.reason = reason;
    this.bound = bound;
  }
}
