// Writing DER (X.690): the few kinds of values that a PKCS #12 file, an answer of OCSP and a revocation list are made of.

const of = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...items: Buffer[]): Buffer => of(0x30, Buffer.concat(items));
/** The same of many: arguments are few. */
export const sequenceOf = (items: readonly Buffer[]): Buffer => of(0x30, Buffer.concat(items));
export const set = (...items: Buffer[]): Buffer => of(0x31, Buffer.concat(items));
export const octets = (content: Buffer): Buffer => of(0x04, content);
export const nothing = (): Buffer => of(0x05, Buffer.alloc(0));
/** `[0]` around a value. */
export const tagged = (content: Buffer): Buffer => of(0xa0, content);
/** `[0]` in the place of the tag of an octet string. */
export const taggedOctets = (content: Buffer): Buffer => of(0x80, content);
/** UTF-16, as PKCS #9 has names. */
export const bmpString = (text: string): Buffer => of(0x1e, Buffer.from(text, 'utf16le').swap16());

/** `[n]` around a value. */
export const explicit = (n: number, content: Buffer): Buffer => of(0xa0 | n, content);
/** `[n]` in the place of the tag of nothing. */
export const taggedNothing = (n: number): Buffer => of(0x80 | n, Buffer.alloc(0));
export const enumerated = (value: number): Buffer => of(0x0a, Buffer.from([value]));
/** Whole bytes. */
export const bits = (content: Buffer): Buffer => of(0x03, Buffer.concat([Buffer.alloc(1), content]));
/** GeneralizedTime: whole seconds, as RFC 5280, 4.1.2.5.2 has it. */
export const time = (date: Date): Buffer =>
  of(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\..*$/g, '')}Z`));

/** UTCTime through 2049 and GeneralizedTime later (RFC 5280, 5.1.2.4): whole seconds. */
export const listTime = (date: Date): Buffer =>
  date.getUTCFullYear() >= 2050
    ? time(date)
    : of(
        0x17,
        Buffer.from(
          `${date
            .toISOString()
            .slice(2)
            .replaceAll(/[-:T]|\..*$/g, '')}Z`,
        ),
      );

/** Of a number that is not negative. */
export const integer = (value: number): Buffer => integerOf(value.toString(16));

/** The same of hexadecimal digits, of which a serial number has more than a number holds. */
export function integerOf(hex: string): Buffer {
  const digits = hex.replace(/^0+(?=.)/, '');
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return of(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** `1.2.840.113549.1.7.1` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return of(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) | 0x80);
  return digits;
}
