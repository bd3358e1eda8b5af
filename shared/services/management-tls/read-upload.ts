// A certificate with its key as somebody uploads it, PEM or PKCS #12: looked at before any of it is kept. What is refused says
// where, and never anything of the key.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { invalid, type Problem } from '../../ground/problems.ts';
import { observed } from '../../ground/x509/certificate.ts';
import { keyAlgorithmOf } from '../../platform/certificate-authority/csr.ts';
import { split } from '../../platform/certificate-authority/file-formats.ts';
import type { Upload } from './uploaded.ts';
import { covers } from './uploaded-names.ts';

export interface UploadWanted {
  /** The certificate and what signed it, as PEM. */
  certificate?: string | undefined;
  private_key?: string | undefined;
  /** Base64. */
  pkcs12?: string | undefined;
  passphrase?: string | undefined;
}

/** By what the management UI is reached. */
export interface Reached {
  /** All of them have to be in it. */
  names: readonly string[];
  /** One of them, where no names are saved. */
  others: readonly string[];
}

const CHAIN_MOST = 10;
const KEY = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[^-]+-----END \1-----/;
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const ANY_USAGE = '2.5.29.37.0';

interface Read {
  key: KeyObject;
  certificates: X509Certificate[];
  /** Where faults of certificate and key are shown. */
  at: { certificate: string; key: string };
}

const refuse = (pointer: string, detail: string): Problem => invalid({ pointer, detail });

/** @throws Problem 422 at `/certificate`, `/private_key`, `/pkcs12` or `/passphrase` */
export async function readUpload(wanted: UploadWanted, reached: Reached, now: Date): Promise<Upload> {
  const read = wanted.pkcs12 ? await fromPkcs12(wanted.pkcs12, wanted.passphrase ?? '') : fromPem(wanted);
  try {
    return checked(read, reached, now);
  } catch (error) {
    if ((error as Problem).code === 'request_validation_failed') throw error;
    throw refuse(read.at.certificate, 'The certificate can’t be read: it is damaged.');
  }
}

async function fromPkcs12(base64: string, passphrase: string): Promise<Read> {
  const { Pkcs12Fault, readPkcs12 } = await import('../../ground/x509/pkcs12-read.ts');
  // One class alone: each character is looked at once. What is wrong within is found as damage.
  if (!/^[A-Za-z0-9+/=\s]+$/.test(base64)) throw refuse('/pkcs12', 'Expected a PKCS #12 file in base64.');
  try {
    const { key, certificates } = await readPkcs12(Buffer.from(base64, 'base64'), passphrase);
    return {
      key: createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
      certificates: certificates.map((der) => new X509Certificate(der)),
      at: { certificate: '/pkcs12', key: '/pkcs12' },
    };
  } catch (error) {
    throw refuse('/pkcs12', error instanceof Pkcs12Fault ? error.message : 'A part of the PKCS #12 file is damaged.');
  }
}

function fromPem({ certificate = '', private_key = '' }: UploadWanted): Read {
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: *4,ENCRYPTED/.test(private_key)) {
    throw refuse('/private_key', 'It is encrypted. Send key and certificate as PKCS #12 with its passphrase instead.');
  }
  const found = KEY.exec(private_key)?.[0];
  const texts = split(certificate);
  if (texts.length === 0) throw refuse('/certificate', 'Expected a certificate as PEM: -----BEGIN CERTIFICATE-----.');
  if (!found) throw refuse('/private_key', 'Expected its private key as PEM: -----BEGIN PRIVATE KEY-----.');
  const at = { certificate: '/certificate', key: '/private_key' };
  return {
    key: parsed(() => createPrivateKey(found), at.key, 'The private key can’t be read: it is damaged.'),
    certificates: parsed(
      () => texts.map((one) => new X509Certificate(one)),
      at.certificate,
      'A certificate in it can’t be read: it is damaged.',
    ),
    at,
  };
}

/** The words of a parser could quote what it read. */
function parsed<T>(read: () => T, pointer: string, detail: string): T {
  try {
    return read();
  } catch {
    throw refuse(pointer, detail);
  }
}

function checked({ key, certificates, at }: Read, reached: Reached, now: Date): Upload {
  if (certificates.length > CHAIN_MOST) throw refuse(at.certificate, `It has more than ${CHAIN_MOST} certificates.`);
  // A renewed one may lie beside the former one with the same key.
  const [own] = certificates
    .filter((certificate) => certificate.checkPrivateKey(key))
    .sort((one, other) => other.validToDate.getTime() - one.validToDate.getTime());
  if (!own) throw refuse(at.key, 'The private key belongs to none of the certificates.');
  const key_algorithm = keyAlgorithmOf(own.publicKey);
  if (key_algorithm === null) {
    throw refuse(
      at.key,
      'The key is too weak or of another kind: RSA with 2048, 3072 or 4096 bits, or ECDSA with P-256 or P-384.',
    );
  }
  const chain = [own, ...aboveOf(own, certificates)];
  // A root is left to those who trust it.
  const shown = chain.filter((one) => one === own || !isSelfSigned(one));
  for (const one of shown) refuseUnfit(one, one === own, at.certificate, now);
  refuseStrange(chain.at(-1)!, certificates, at.certificate);
  const { subject, names } = observed(own, { host: '', protocol: '', now });
  refuseUnnamed(names, reached, at.certificate);
  return {
    chain_pem: shown.map((one) => one.toString()).join(''),
    subject,
    names,
    sha256: own.fingerprint256,
    key_algorithm,
    not_before: own.validFromDate.toISOString(),
    not_after: own.validToDate.toISOString(),
    key_pem: key.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** What signed it, as far as it is there: clients may know the rest. What signed nothing of it is left out. */
function aboveOf(own: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const above: X509Certificate[] = [];
  for (let last = own; !isSelfSigned(last); ) {
    const next = others.find((one) => one !== own && !above.includes(one) && signedBy(last, one));
    if (!next) break;
    above.push(next);
    last = next;
  }
  return above;
}

const signedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  one.checkIssued(issuer) && keyAlgorithmOf(issuer.publicKey) !== null && one.verify(issuer.publicKey);
const isSelfSigned = (one: X509Certificate): boolean => signedBy(one, one);

/** Without it the chain would be cut short, and clients would know no issuer. */
function refuseStrange(last: X509Certificate, others: readonly X509Certificate[], pointer: string): void {
  const strange = others.find((one) => one !== last && last.checkIssued(one) && keyAlgorithmOf(one.publicKey) === null);
  if (strange)
    throw refuse(
      pointer,
      `${above(strange)} has a key of another kind than RSA with 2048, 3072 or 4096 bits, or ECDSA with P-256 or P-384.`,
    );
}

const above = ({ subject }: X509Certificate): string =>
  `The certificate above it (${subject.split('\n').join(', ').slice(0, 200)})`;

function refuseUnfit(one: X509Certificate, own: boolean, pointer: string, now: Date): void {
  const what = own ? 'The certificate' : above(one);
  if (one.validToDate < now) throw refuse(pointer, `${what} expired at ${one.validToDate.toISOString()}.`);
  if (one.validFromDate > now)
    throw refuse(
      pointer,
      `${what} is valid from ${one.validFromDate.toISOString()} only: set the clock if it is wrong.`,
    );
  const usage = one.keyUsage as string[] | undefined;
  if (own && usage && !usage.includes(SERVER_AUTH) && !usage.includes(ANY_USAGE))
    throw refuse(pointer, 'The certificate may not be used by a server: its extended key usage lacks serverAuth.');
}

function refuseUnnamed(held: readonly string[], { names, others }: Reached, pointer: string): void {
  if (held.length === 0)
    throw refuse(pointer, 'The certificate has no subject alternative name: browsers look at nothing else.');
  const lacking = names.filter((name) => !covers(held, name));
  if (lacking.length > 0)
    throw refuse(pointer, `The certificate is for ${held.slice(0, 10).join(', ')}, and not for ${lacking.join(', ')}.`);
  if (names.length > 0 || others.some((name) => covers(held, name))) return;
  const known = others.slice(0, 10).join(', ');
  throw refuse(
    pointer,
    `The certificate is for ${held.slice(0, 10).join(', ')}, and for no name or address of the management UI (${known}): add the name to the settings if it leads here.`,
  );
}
