// What a request of OCSP asks for (RFC 6960, 4.1): read from anybody, within bounds. Pure.
import { DerFault, type DerValue, dotted, readAll, readOne, TAGS } from '../../ground/x509/der-read.ts';

export const OCSP_REQUEST_MOST = 4 << 10;
/** Certificates in one request; programs ask for one. */
export const OCSP_IDS_MOST = 16;

export type IdHash = 'sha1' | 'sha256';

export interface CertId {
  /** Null: one that nothing is known of by. */
  hash: IdHash | null;
  /** Hexadecimal digits. */
  issuer_name_hash: string;
  issuer_key_hash: string;
  /** As certificates have it: hexadecimal digits, capital, of whole bytes. */
  serial_number: string;
  /** As it came: an answer repeats it. */
  der: Buffer;
}

export interface OcspRequest {
  ids: CertId[];
  /** Value of the extension as it came; null: there is none. */
  nonce: Buffer | null;
}

const HASHES: Readonly<Record<string, IdHash>> = { '1.3.14.3.2.26': 'sha1', '2.16.840.1.101.3.4.2.1': 'sha256' };
export const NONCE = '1.3.6.1.5.5.7.48.1.2';
/** Bytes of a nonce (RFC 9654, 2.1), with the tag and length of an octet string. */
const NONCE_MOST = 128 + 3;
/** Bytes of a serial number (RFC 5280, 4.1.2.2), and one for the sign. */
const SERIAL_MOST = 21;
const EXTENSIONS_MOST = 16;
const TRUE = 0xff;

/** Its signature, where it has one, is not asked for: who asks makes no difference. @throws DerFault */
export function parseOcspRequest(bytes: Buffer): OcspRequest {
  if (bytes.length > OCSP_REQUEST_MOST) throw new DerFault('A request of OCSP is shorter.');
  const [tbs, signature, ...others] = readAll(readOne(bytes, TAGS.sequence).content, 2);
  if (tbs?.tag !== TAGS.sequence || others.length > 0) throw new DerFault('No request of OCSP.');
  if (signature && signature.tag !== 0xa0) throw new DerFault('No request of OCSP.');
  const parts = readAll(tbs.content, 4);
  const version = optional(parts, 0xa0);
  if (version && version.content.compare(Buffer.from([2, 1, 0])) !== 0) throw new DerFault('Another version of OCSP.');
  optional(parts, 0xa1);
  const list = optional(parts, TAGS.sequence);
  const extensions = optional(parts, 0xa2);
  if (!list || parts.length > 0) throw new DerFault('No request of OCSP.');
  const ids = readAll(list.content, OCSP_IDS_MOST).map(certId);
  if (ids.length === 0) throw new DerFault('A request for nothing.');
  return { ids, nonce: extensions ? nonceOf(extensions) : null };
}

/** Takes the first of the parts, where it has this tag. */
const optional = (parts: DerValue[], tag: number): DerValue | undefined =>
  parts[0]?.tag === tag ? parts.shift() : undefined;

function certId({ tag, content }: DerValue): CertId {
  const [id, own, ...others] = readAll(content, 2);
  if (tag !== TAGS.sequence || id?.tag !== TAGS.sequence || others.length > 0)
    throw new DerFault('No request of OCSP.');
  // What one of them asks for besides may be left, unless it says that it may not.
  if (own) extensionsIn(own, 0xa0);
  const [algorithm, name, key, serial] = readAll(id.content, 4);
  if (algorithm?.tag !== TAGS.sequence || name?.tag !== TAGS.octets || key?.tag !== TAGS.octets) {
    throw new DerFault('No name of a certificate.');
  }
  if (serial?.tag !== TAGS.integer || serial.content.length === 0 || serial.content.length > SERIAL_MOST) {
    throw new DerFault('No serial number.');
  }
  const [oid] = readAll(algorithm.content, 2);
  if (oid?.tag !== TAGS.objectId) throw new DerFault('No algorithm.');
  const digits = serial.content.toString('hex').toUpperCase();
  return {
    hash: HASHES[dotted(oid.content)] ?? null,
    issuer_name_hash: name.content.toString('hex'),
    issuer_key_hash: key.content.toString('hex'),
    serial_number: digits.length > 2 && digits.startsWith('00') ? digits.slice(2) : digits,
    der: id.whole,
  };
}

/** Of the request as a whole. */
function nonceOf(extensions: DerValue): Buffer | null {
  const found = extensionsIn(extensions, 0xa2).find(({ oid }) => oid === NONCE)?.value ?? null;
  if (found && (found.length === 0 || found.length > NONCE_MOST)) throw new DerFault('A nonce has at most 128 bytes.');
  return found;
}

/** @throws DerFault also for one that has to be understood, and is not */
function extensionsIn({ tag, content }: DerValue, expected: number): { oid: string; value: Buffer }[] {
  if (tag !== expected) throw new DerFault('No extensions.');
  return readAll(readOne(content, TAGS.sequence).content, EXTENSIONS_MOST).map((extension) => {
    if (extension.tag !== TAGS.sequence) throw new DerFault('No extension.');
    const [id, ...rest] = readAll(extension.content, 3);
    const critical = rest.length === 2 ? rest.shift() : undefined;
    const [value] = rest;
    if (id?.tag !== TAGS.objectId || value?.tag !== TAGS.octets) throw new DerFault('No extension.');
    const oid = dotted(id.content);
    if (critical?.content[0] === TRUE && oid !== NONCE) throw new DerFault('An extension that is not known.');
    return { oid, value: value.content };
  });
}

/**
 * The request of a GET (RFC 6960, A.1): base64 in the last part of the path, percent-encoded or not. Null for what is none.
 */
export function ocspRequestOfPath(text: string): Buffer | null {
  // A third longer than its bytes, and each character may come as three.
  if (text.length > OCSP_REQUEST_MOST * 4) return null;
  let plain: string;
  try {
    plain = decodeURIComponent(text);
  } catch {
    return null;
  }
  return /^[A-Za-z0-9+/]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : null;
}
