// An answer that is the same for every caller while the process runs. It is written and compressed once, and a thousand
// requests at a time share the one copy.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Content codings that a listener offers, the best first. `identity` is none. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

const COMPRESS: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  identity: async (bytes) => bytes,
  gzip: promisify(gzip),
  // The best quality takes a second and saves only a tenth.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
};

export class Constant {
  readonly text: string;
  readonly #digest: string;
  readonly #bytes = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.text = text;
    this.#digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  }

  /** A strong tag with its quotes: it changes with every byte (RFC 9110, 8.8.3). */
  etag(coding: Coding): string {
    return `"${coding === 'identity' ? this.#digest : `${this.#digest}-${coding}`}"`;
  }

  bytes(coding: Coding): Promise<Buffer> {
    let bytes = this.#bytes.get(coding);
    if (!bytes) {
      bytes = COMPRESS[coding](Buffer.from(this.text, 'utf8'));
      this.#bytes.set(coding, bytes);
    }
    return bytes;
  }
}
