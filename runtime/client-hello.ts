// Which server a TLS client names in its first message (RFC 8446, 4.1.2; RFC 6066, 3), before anything is decided: so a
// connection reaches the plane that it is for with all of its bytes, and that plane alone makes the handshake. What is
// read here only chooses who answers: each plane compares the name that OpenSSL read with the Host of every request.

/** A hello with several key shares has two kilobytes; more than this is none. Bytes. */
export const HELLO_MOST = 16 << 10;

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** What stands before a record: type, version, length. And before a message: type, length. */
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;

/** The name in lower case; `none`: it names nobody, or is no hello; `more`: the hello is not there to its end. */
export type Named = { name: string } | 'none' | 'more';

/** Pure. `bytes`: all that came so far. Never throws. */
export function nameIn(bytes: Buffer): Named {
  const hello = messageIn(bytes);
  if (hello === null) return bytes.length > HELLO_MOST ? 'none' : 'more';
  if (hello === 'none') return 'none';
  try {
    const name = nameOf(new Reader(hello));
    return name === null ? 'none' : { name };
  } catch {
    return 'none';
  }
}

/** The content of the first handshake message, which may be spread over records; null: more is to come. */
function messageIn(bytes: Buffer): Buffer | 'none' | null {
  const parts: Buffer[] = [];
  let have = 0;
  let whole = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== HANDSHAKE) return 'none';
    if (bytes.length < at + RECORD_HEAD) return null;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > HELLO_MOST) return 'none';
    parts.push(bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length));
    have += parts.at(-1)!.length;
    at += RECORD_HEAD + length;
    if (whole === 0 && have >= MESSAGE_HEAD) {
      const [type, high = 0, middle = 0, low = 0] = Buffer.concat(parts);
      whole = MESSAGE_HEAD + ((high << 16) | (middle << 8) | low);
      if (type !== CLIENT_HELLO || whole > HELLO_MOST) return 'none';
    }
    if (whole > 0 && have >= whole) return Buffer.concat(parts).subarray(MESSAGE_HEAD, whole);
  }
  return null;
}

/** @throws RangeError where a length leads out of the message. */
function nameOf(hello: Reader): string | null {
  hello.skip(2 + 32); // version, random
  hello.skip(hello.number(1)); // session
  hello.skip(hello.number(2)); // cipher suites
  hello.skip(hello.number(1)); // compression
  if (hello.left === 0) return null;
  const extensions = hello.part(2);
  while (extensions.left > 0) {
    const type = extensions.number(2);
    const content = extensions.part(2);
    if (type !== SERVER_NAME) continue;
    const names = content.part(2);
    if (names.number(1) !== HOST_NAME) return null;
    return names.part(2).text().toLowerCase();
  }
  return null;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  skip(count: number): void {
    if (count > this.left) throw new RangeError('a length leads out of the message');
    this.#at += count;
  }

  number(bytes: number): number {
    const from = this.#at;
    this.skip(bytes);
    return this.#bytes.readUIntBE(from, bytes);
  }

  /** What follows a length of so many bytes. */
  part(bytes: number): Reader {
    const length = this.number(bytes);
    const from = this.#at;
    this.skip(length);
    return new Reader(this.#bytes.subarray(from, from + length));
  }

  text(): string {
    return this.#bytes.toString('latin1', this.#at);
  }
}
