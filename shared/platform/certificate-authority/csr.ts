// A certificate signing request (PKCS #10, RFC 2986) as it came from somebody else: read within bounds, its signature
// verified, and only what we issue by taken out of it.
import 'reflect-metadata';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import { invalid, type Problem } from '../../ground/problems.ts';
import type { KeyAlgorithm } from './make.ts';
import { CSR_BYTES_MOST, NAMES_MOST } from './names.ts';

export interface ParsedRequest {
  /** `CN=…, O=…`, at most 500 characters. */
  subject: string;
  /** Empty where there is none. */
  common_name: string;
  /** Host names and addresses of its alternative names, canonical; without any, its common name where it is one. */
  names: string[];
  key_algorithm: KeyAlgorithm;
  /** SHA-256 of its public key as SPKI, hexadecimal. */
  key_sha256: string;
  signature_algorithm: string;
  /** What was asked for and is not taken: extensions, and names of other kinds. */
  ignored: string[];
  pem: string;
}

export interface RequestWithKey extends ParsedRequest {
  /** SubjectPublicKeyInfo, DER. */
  spki: Buffer;
}

const refuse = (detail: string, pointer: string): Problem => invalid({ pointer, detail });

const ARMOUR =
  /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/;
const TEXT_MOST = 500;
/** What it asks for is named up to here. */
const IGNORED_MOST = 20;

/** @throws Problem 422 at `pointer`, whatever is wrong with it */
export async function parseRequest(text: string, pointer = '/csr'): Promise<RequestWithKey> {
  const der = derOf(text, pointer);
  let request: Pkcs10CertificateRequest;
  try {
    request = new Pkcs10CertificateRequest(new Uint8Array(der));
  } catch {
    throw refuse('This is no certificate signing request: it can’t be read as PKCS #10.', pointer);
  }
  try {
    return await read(request, pointer);
  } catch (error) {
    if ((error as Problem).code === 'request_validation_failed') throw error;
    throw refuse('This certificate signing request is damaged: parts of it can’t be read.', pointer);
  }
}

function derOf(text: string, pointer: string): Buffer {
  if (text.length > CSR_BYTES_MOST)
    throw refuse(`A certificate signing request has at most ${CSR_BYTES_MOST} characters.`, pointer);
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    throw refuse('This has a private key, which must not be sent to anybody. Send the request alone.', pointer);
  const armoured = ARMOUR.exec(text)?.[1];
  // DER of a file that was uploaded comes as base64.
  const base64 = (armoured ?? text).replaceAll(/\s+/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw refuse('Expected a certificate signing request as PEM: -----BEGIN CERTIFICATE REQUEST-----.', pointer);
  }
  return Buffer.from(base64, 'base64');
}

async function read(request: Pkcs10CertificateRequest, pointer: string): Promise<RequestWithKey> {
  const spki = Buffer.from(request.publicKey.rawData);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const key_algorithm = keyAlgorithmOf(key);
  if (key_algorithm === null) {
    throw refuse('Its key must be RSA with 2048, 3072 or 4096 bits, or ECDSA with P-256 or P-384.', pointer);
  }
  const { name, hash } = request.signatureAlgorithm as { name: string; hash?: { name: string } };
  if (!/^SHA-(?:256|384|512)$/.test(hash?.name ?? '') || !/^(?:RSASSA-PKCS1-v1_5|ECDSA)$/.test(name)) {
    throw refuse('It must be signed with SHA-256, SHA-384 or SHA-512, and not as RSA-PSS.', pointer);
  }
  if (!(await request.verify(crypto))) {
    throw refuse('Its signature does not belong to its key: it was changed after it was signed.', pointer);
  }
  const common_name = oneLine(request.subjectName.getField('CN')[0] ?? '');
  const { names, others } = namesOf(request, pointer);
  const asked = request.extensions.map(({ type }) => type).filter((type) => type !== SAN);
  return {
    subject: oneLine(request.subject),
    common_name,
    names: names.length === 0 && isName(common_name) ? [canonicalName(common_name)] : names,
    key_algorithm,
    key_sha256: createHash('sha256').update(spki).digest('hex'),
    signature_algorithm: `${name === 'ECDSA' ? 'ECDSA' : 'RSA'} with ${hash!.name}`,
    ignored: [...new Set([...asked.map(extensionWord), ...others])].slice(0, IGNORED_MOST),
    pem: `${request.toString('pem').trim()}\n`,
    spki,
  };
}

const isName = (text: string): boolean => text !== '' && hostNameFault(canonicalName(text)) === null;
const SAN = '2.5.29.17';

function namesOf(request: Pkcs10CertificateRequest, pointer: string): { names: string[]; others: string[] } {
  const items = request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension)?.names.items ?? [];
  if (items.length > NAMES_MOST) throw refuse(`It asks for more than ${NAMES_MOST} names.`, pointer);
  const names: string[] = [];
  const others: string[] = [];
  for (const { type, value } of items) {
    const address = type === 'ip' ? parseAddress(value) : null;
    if (address) names.push(address.text);
    else if (type === 'dns' && isName(value)) names.push(canonicalName(value));
    else others.push(`the ${KIND[type] ?? 'name'} ${oneLine(value).slice(0, 100)}`);
  }
  return { names: [...new Set(names)], others };
}

const KIND: Record<string, string> = { dns: 'name', ip: 'address', email: 'e-mail address', url: 'URL' };

const EXTENSIONS: Record<string, string> = {
  '2.5.29.14': 'subject key identifier',
  '2.5.29.15': 'key usage',
  '2.5.29.19': 'basic constraints',
  '2.5.29.31': 'CRL distribution points',
  '2.5.29.32': 'certificate policies',
  '2.5.29.37': 'extended key usage',
};
const extensionWord = (oid: string): string => EXTENSIONS[oid] ?? `the extension ${oneLine(oid).slice(0, 100)}`;

/** Of the keys that we issue for; null for any other. An exponent that takes long to compute with is not among them. */
export function keyAlgorithmOf(key: KeyObject): KeyAlgorithm | null {
  const { modulusLength, publicExponent, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') {
    const short = publicExponent !== undefined && publicExponent >= 3n && publicExponent <= 0xffff_ffffn;
    const bits = [2048, 3072, 4096].find((known) => known === modulusLength);
    return short && bits !== undefined ? (`rsa-${bits}` as KeyAlgorithm) : null;
  }
  if (key.asymmetricKeyType !== 'ec') return null;
  return namedCurve === 'prime256v1' ? 'ecdsa-p256' : namedCurve === 'secp384r1' ? 'ecdsa-p384' : null;
}

/** Nothing in it breaks a line or turns the writing direction of what stands beside it. */
function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return plain.length > TEXT_MOST ? `${plain.slice(0, TEXT_MOST)}…` : plain;
}
