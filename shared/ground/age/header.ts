// The text that an age file begins with: the ways to its key, and a code that holds all of it together.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ByteSource } from '../byte-source.ts';
import { AgeFault } from './fault.ts';
import { base64, derive, fromBase64 } from './primitives.ts';
import { BODY_LINE, type Stanza, stanzaText } from './stanza.ts';

const FAMILY = 'age-encryption.org/';
const VERSION = `${FAMILY}v1`;
const ARMOR = '-----BEGIN AGE';
/** Bytes of the whole header: some hundred recipients. */
const HEADER_MOST = 64 * 1024;
const EMPTY = Buffer.alloc(0);

export interface Header {
  stanzas: readonly Stanza[];
  /** What the code is about: all up to `---`. */
  text: string;
  mac: Buffer;
}

const macOf = (text: string, fileKey: Buffer): Buffer =>
  createHmac('sha256', derive(fileKey, EMPTY, 'header'))
    .update(text)
    .digest();

export function headerText(stanzas: readonly Stanza[], fileKey: Buffer): string {
  const text = `${VERSION}\n${stanzas.map(stanzaText).join('')}---`;
  return `${text} ${base64(macOf(text, fileKey))}\n`;
}

export const macHolds = ({ text, mac }: Header, fileKey: Buffer): boolean => timingSafeEqual(macOf(text, fileKey), mac);

/** @throws AgeFault not_age, armored, version, damaged */
export async function readHeader(source: ByteSource): Promise<Header> {
  const lines = new Lines(source);
  const first = await lines.next('not_age');
  if (first.startsWith(ARMOR)) throw new AgeFault('armored');
  if (first !== VERSION) throw new AgeFault(first.startsWith(FAMILY) ? 'version' : 'not_age');
  const stanzas: Stanza[] = [];
  let text = `${first}\n`;
  for (;;) {
    const line = await lines.next();
    if (line.startsWith('--- ')) {
      const mac = fromBase64(line.slice(4));
      if (mac?.length !== 32 || stanzas.length === 0) throw new AgeFault('damaged');
      return { stanzas, text: `${text}---`, mac };
    }
    const stanza = await readStanza(line, lines);
    stanzas.push(stanza);
    // Only one spelling was accepted, so this is what was read.
    text += stanzaText(stanza);
  }
}

async function readStanza(line: string, lines: Lines): Promise<Stanza> {
  const [arrow, kind, ...args] = line.split(' ');
  if (arrow !== '->' || !kind || args.includes('')) throw new AgeFault('damaged');
  let body = '';
  for (;;) {
    const part = await lines.next();
    if (part.length > BODY_LINE) throw new AgeFault('damaged');
    body += part;
    if (part.length < BODY_LINE) break;
  }
  const bytes = fromBase64(body);
  if (!bytes) throw new AgeFault('damaged');
  return { kind, args, body: bytes };
}

class Lines {
  readonly #source: ByteSource;
  #left = HEADER_MOST;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Printable ASCII and blanks. */
  async next(otherwise: 'damaged' | 'not_age' = 'damaged'): Promise<string> {
    const line = (await this.#source.line(this.#left))?.toString('latin1');
    if (line === undefined || !/^[ -~]*$/.test(line)) throw new AgeFault(otherwise);
    this.#left -= line.length + 1;
    return line;
  }
}
