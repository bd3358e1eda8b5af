// Certificates for keys of others: what a profile becomes in X.509. Nothing but the public key and the names that were
// decided on gets in; whatever else a request asks for stays out.
import 'reflect-metadata';
import { X509Certificate as Observed } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Entropy } from '../../ground/clock.ts';
import { observed } from '../../ground/x509/certificate.ts';
import {
  ALGORITHMS,
  authorityKeyId,
  distinguishedName,
  generalName,
  type KeyAlgorithm,
  type Made,
  portalExtensions,
  privateKey,
  type Signer,
  serialNumber,
  type Validity,
} from './make.ts';
import type { PortalAddresses } from './portal/addresses.ts';
import type { ProfileName } from './profiles.ts';

export interface SignWanted extends Validity {
  /** SubjectPublicKeyInfo, DER. */
  spki: Buffer;
  key_algorithm: KeyAlgorithm;
  profile: ProfileName;
  common_name: string | null;
  organization: string;
  /** None for a subordinate. */
  names: readonly string[];
  /** Null: it names none. */
  portal: PortalAddresses | null;
  /** Of a subordinate: authorities that may be below it. */
  path_length: number;
}

/** A certificate whose key is somebody else's. */
export type Signed = Omit<Made, 'key_pem'>;

const { digitalSignature, keyEncipherment, nonRepudiation, keyCertSign, cRLSign } = KeyUsageFlags;

/** VMware's own template has no extended key usage: its services are clients of one another as well. */
const USES: Record<ProfileName, { usage: number; extended: ExtendedKeyUsage[] }> = {
  server: { usage: digitalSignature | keyEncipherment, extended: [ExtendedKeyUsage.serverAuth] },
  client: { usage: digitalSignature, extended: [ExtendedKeyUsage.clientAuth] },
  'server-client': {
    usage: digitalSignature | keyEncipherment,
    extended: [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth],
  },
  vmware: { usage: digitalSignature | nonRepudiation | keyEncipherment, extended: [] },
  subordinate: { usage: keyCertSign | cRLSign, extended: [] },
};

export async function signCertificate(root: Signer, wanted: SignWanted, entropy: Entropy): Promise<Signed> {
  const { spki, key_algorithm, common_name, organization, not_before, not_after } = wanted;
  const issuer = new X509Certificate(root.pem);
  const publicKey = new PublicKey(new Uint8Array(spki));
  const subject = distinguishedName(common_name, organization);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(entropy),
    subject: new Name(subject),
    issuer: issuer.subjectName,
    notBefore: not_before,
    notAfter: not_after,
    signingAlgorithm: { hash: ALGORITHMS[root.key_algorithm].hash } as unknown as EcdsaParams,
    publicKey: await publicKey.export(crypto),
    signingKey: await privateKey(root),
    extensions: [
      ...extensionsOf(wanted, subject.length === 0),
      ...portalExtensions(wanted.portal),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await authorityKeyId(issuer),
    ],
  });
  const seen = new Observed(Buffer.from(certificate.rawData));
  const facts = observed(seen, { host: 'certificate.invalid', protocol: '', now: not_before });
  const { subject: shown, sha256, serial } = facts;
  return { pem: seen.toString(), key_algorithm, subject: shown, sha256, serial_number: serial, not_before, not_after };
}

function extensionsOf({ profile, key_algorithm, names, path_length }: SignWanted, nameless: boolean): Extension[] {
  const { usage, extended } = USES[profile];
  // A key of a curve enciphers no other key (RFC 8813, 3).
  const fitting = key_algorithm.startsWith('rsa') ? usage : usage & ~keyEncipherment;
  return [
    profile === 'subordinate'
      ? new BasicConstraintsExtension(true, path_length, true)
      : new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(fitting, true),
    ...(extended.length > 0 ? [new ExtendedKeyUsageExtension(extended)] : []),
    // Without a subject, the names stand for it (RFC 5280, 4.2.1.6).
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names.map(generalName), nameless)] : []),
  ];
}
