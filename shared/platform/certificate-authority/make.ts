// Certificates as X.509 (RFC 5280) has them: a root, and the appliance's own servers. Pure but for
// the key pairs, which the platform makes.
import 'reflect-metadata';
import { createPrivateKey, createPublicKey, X509Certificate as Observed } from 'node:crypto';
import {
  AuthorityInfoAccessExtension,
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  type GeneralNameType,
  type JsonNameParams,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Entropy } from '../../ground/clock.ts';
import { observed } from '../../ground/x509/certificate.ts';
import { commonNameOf, isAddress } from './names.ts';
import type { PortalAddresses } from './portal/addresses.ts';
import type { KEY_ALGORITHMS } from './settings.ts';

export type RootAlgorithm = (typeof KEY_ALGORITHMS)[number];
export type KeyAlgorithm = RootAlgorithm | 'rsa-2048';

export interface Validity {
  /** Whole seconds: a certificate knows no smaller part (RFC 5280, 4.1.2.5). */
  not_before: Date;
  not_after: Date;
}

/** A certificate, and its private key until that is sealed. */
export interface Made {
  pem: string;
  /** PKCS #8 as PEM. */
  key_pem: string;
  key_algorithm: KeyAlgorithm;
  /** `CN=…, O=…` */
  subject: string;
  /** `AA:BB:…` */
  sha256: string;
  /** Hexadecimal digits. */
  serial_number: string;
  not_before: Date;
  not_after: Date;
}

export interface RootWanted extends Validity {
  common_name: string;
  /** Empty for none. */
  organization: string;
  key_algorithm: RootAlgorithm;
  /** Authorities below it, one below the other. */
  path_length: number;
}

export interface ServerWanted extends Validity {
  /** Canonical host names and addresses. */
  names: readonly string[];
  organization: string;
  /** Null: it names none. */
  portal: PortalAddresses | null;
  /** The key that it has, of whatever length; without it a new one is made. */
  kept?: Pick<Signer, 'key_pem' | 'key_algorithm'> | null;
}

/** A root as one that signs. */
export interface Signer {
  pem: string;
  key_pem: string;
  key_algorithm: KeyAlgorithm;
}

const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});

/** P-384 signs with the digest of its strength; all else with SHA-256. */
export const ALGORITHMS: Record<KeyAlgorithm, { name: string; hash: string }> = {
  'ecdsa-p256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as { name: string; hash: string },
  'ecdsa-p384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' } as { name: string; hash: string },
  'rsa-2048': rsa(2048),
  'rsa-3072': rsa(3072),
  'rsa-4096': rsa(4096),
};

/**
 * Keys of servers are RSA whatever the root has: VMware appliances are documented with RSA only. 2048 bits sign a
 * handshake in a seventh of the time that 3072 take, in the process that answers everybody else as well; NIST SP 800-131A
 * lets them be used through 2030.
 */
const SHORT_KEYS_UNTIL = Date.UTC(2031, 0, 1);

export const serverAlgorithm = ({ not_after }: Validity): KeyAlgorithm =>
  not_after.getTime() < SHORT_KEYS_UNTIL ? 'rsa-2048' : 'rsa-3072';

/** A root that signs itself, with as many authorities below it as its path length says. */
export async function makeRoot(wanted: RootWanted, entropy: Entropy): Promise<Made> {
  const { key_algorithm, common_name, organization, path_length, not_before, not_after } = wanted;
  const pair = await keyPair(key_algorithm);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(entropy),
    name: new Name(distinguishedName(common_name, organization)),
    notBefore: not_before,
    notAfter: not_after,
    signingAlgorithm: { hash: ALGORITHMS[key_algorithm].hash } as unknown as EcdsaParams,
    keys: pair,
    extensions: [
      new BasicConstraintsExtension(true, path_length, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(pair.publicKey),
      await AuthorityKeyIdentifierExtension.create(pair.publicKey),
    ],
  });
  return made(certificate, pair, wanted, key_algorithm);
}

/** A server's certificate, signed by the root. */
export async function makeServer(root: Signer, wanted: ServerWanted, entropy: Entropy): Promise<Made> {
  const { names, organization, not_before, not_after } = wanted;
  const key_algorithm = wanted.kept?.key_algorithm ?? serverAlgorithm(wanted);
  const ownPair = wanted.kept ? pairOf(wanted.kept) : keyPair(key_algorithm);
  const [pair, signingKey] = await Promise.all([ownPair, privateKey(root)]);
  const issuer = new X509Certificate(root.pem);
  const common_name = commonNameOf(names);
  const subject = distinguishedName(common_name, organization);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(entropy),
    subject: new Name(subject),
    issuer: issuer.subjectName,
    notBefore: not_before,
    notAfter: not_after,
    signingAlgorithm: { hash: ALGORITHMS[root.key_algorithm].hash } as unknown as EcdsaParams,
    publicKey: pair.publicKey,
    signingKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      // Without a subject, the names stand for it (RFC 5280, 4.2.1.6).
      new SubjectAlternativeNameExtension(names.map(generalName), subject.length === 0),
      ...portalExtensions(wanted.portal),
      await SubjectKeyIdentifierExtension.create(pair.publicKey),
      await authorityKeyId(issuer),
    ],
  });
  return made(certificate, pair, wanted, key_algorithm);
}

/** Where to fetch the authority's certificate, and to ask what was revoked (RFC 5280, 4.2.1.13 and 4.2.2.1). */
export function portalExtensions(portal: PortalAddresses | null): Extension[] {
  if (portal === null) return [];
  const { issuer, revocation } = portal;
  return [
    ...(revocation ? [new CRLDistributionPointsExtension([revocation.crl])] : []),
    new AuthorityInfoAccessExtension({ caIssuers: issuer, ...(revocation && { ocsp: revocation.ocsp }) }),
  ];
}

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const OCSP_NOCHECK = '1.3.6.1.5.5.7.48.1.5';

/**
 * Who signs answers of OCSP for a root (RFC 6960, 4.2.2.2). P-256 whatever the root has: an answer is signed for whoever
 * asks, in the process that answers everybody else as well. Nobody asks whether this one is revoked: it lives short.
 */
export async function makeOcspSigner(
  root: Signer,
  wanted: Omit<ServerWanted, 'names' | 'portal'>,
  entropy: Entropy,
): Promise<Made> {
  const key_algorithm: KeyAlgorithm = 'ecdsa-p256';
  const [pair, signingKey] = await Promise.all([keyPair(key_algorithm), privateKey(root)]);
  const issuer = new X509Certificate(root.pem);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(entropy),
    subject: new Name(distinguishedName('OCSP responder', wanted.organization)),
    issuer: issuer.subjectName,
    notBefore: wanted.not_before,
    notAfter: wanted.not_after,
    signingAlgorithm: { hash: ALGORITHMS[root.key_algorithm].hash } as unknown as EcdsaParams,
    publicKey: pair.publicKey,
    signingKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([OCSP_SIGNING]),
      new Extension(OCSP_NOCHECK, false, new Uint8Array([5, 0])),
      await SubjectKeyIdentifierExtension.create(pair.publicKey),
      await authorityKeyId(issuer),
    ],
  });
  return made(certificate, pair, wanted, key_algorithm);
}

/** As the authority's own certificate says it: one that was imported may count it in another way. */
export async function authorityKeyId(issuer: X509Certificate): Promise<AuthorityKeyIdentifierExtension> {
  const own = issuer.getExtension(SubjectKeyIdentifierExtension);
  return own
    ? new AuthorityKeyIdentifierExtension(own.keyId)
    : AuthorityKeyIdentifierExtension.create(issuer.publicKey);
}

export const generalName = (value: string) => ({ type: (isAddress(value) ? 'ip' : 'dns') as GeneralNameType, value });

/** As UTF-8 strings by name: as text, some characters would mean something else. */
export const distinguishedName = (common_name: string | null, organization: string): JsonNameParams => [
  ...(organization === '' ? [] : [{ O: [{ utf8String: organization }] }]),
  ...(common_name === null ? [] : [{ CN: [{ utf8String: common_name }] }]),
];

/** 16 bytes; the first is such that the number is positive and no byte of it is left out (RFC 5280, 4.1.2.2). */
export function serialNumber(entropy: Entropy): string {
  const bytes = Buffer.from(entropy.bytes(16));
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString('hex');
}

export const keyPair = (algorithm: KeyAlgorithm): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHMS[algorithm], true, ['sign', 'verify']) as Promise<CryptoKeyPair>;

const BODY = /-----(?:BEGIN|END) PRIVATE KEY-----|\s+/g;

export function privateKey({ key_pem, key_algorithm }: Signer): Promise<CryptoKey> {
  const der = Buffer.from(key_pem.replaceAll(BODY, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', der, ALGORITHMS[key_algorithm], false, ['sign']) as Promise<CryptoKey>;
}

/** A pair from its private half. */
async function pairOf({ key_pem, key_algorithm }: Pick<Signer, 'key_pem' | 'key_algorithm'>): Promise<CryptoKeyPair> {
  const algorithm = ALGORITHMS[key_algorithm];
  const spki = createPublicKey(key_pem).export({ type: 'spki', format: 'der' });
  const pkcs8 = createPrivateKey(key_pem).export({ type: 'pkcs8', format: 'der' });
  const [publicKey, ownKey] = await Promise.all([
    crypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
    crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
  ]);
  return { publicKey, privateKey: ownKey } as CryptoKeyPair;
}

export async function privateKeyPem(key: CryptoKey): Promise<string> {
  const lines = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
    .toString('base64')
    .match(/.{1,64}/g)!;
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

async function made(
  certificate: X509Certificate,
  { privateKey }: CryptoKeyPair,
  { not_before, not_after }: Validity,
  key_algorithm: KeyAlgorithm,
): Promise<Made> {
  const seen = new Observed(Buffer.from(certificate.rawData));
  const { subject, sha256, serial } = observed(seen, { host: 'certificate.invalid', protocol: '', now: not_before });
  const key_pem = await privateKeyPem(privateKey);
  const pem = seen.toString();
  return { pem, key_pem, key_algorithm, subject, sha256, serial_number: serial, not_before, not_after };
}
