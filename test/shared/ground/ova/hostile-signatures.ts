// Signatures of manifests that are not right, each with the fault by which it has to be refused.
import { signers } from '../../../setup/make-ova/sign.ts';
import { type Hostile, ova } from './parts.ts';

type Manifest = string | Buffer;
export const signed = (who: 'leaf' | 'alone' | 'curve', manifest: Manifest, algorithm = 'sha256'): string =>
  `${algorithm.toUpperCase()}(box.mf)= ${signers().sign(who, manifest, algorithm)}\n`;

const CASES: [string, Hostile[1], (manifest: Manifest) => string | Buffer][] = [
  ['signed: another manifest', 'signature_mismatch', (manifest) => signed('alone', `${manifest} `) + signers().alone],
  [
    'signed: another signer',
    'signature_mismatch',
    (manifest) => signed('alone', manifest) + signers().leaf + signers().alone,
  ],
  [
    'signed: another digest',
    'signature_mismatch',
    (manifest) => signed('alone', manifest, 'sha1').replace('SHA1', 'SHA256') + signers().alone,
  ],
  [
    'signed: a signature of the root',
    'signature_mismatch',
    (manifest) => signed('leaf', manifest) + signers().root + signers().leaf,
  ],
  [
    'signed: another file',
    'certificate_of_other',
    (manifest) => signed('alone', manifest).replace('box.mf', 'box.ovf') + signers().alone,
  ],
  [
    'signed: a digest that is not known',
    'certificate_algorithm',
    (manifest) => signed('alone', manifest).replace('SHA256', 'MD5') + signers().alone,
  ],
  ['signed: no certificate', 'certificate_malformed', (manifest) => signed('alone', manifest)],
  ['signed: no signature', 'certificate_malformed', () => signers().alone],
  ['signed: nothing', 'certificate_malformed', () => ''],
  [
    'signed: garbage',
    'certificate_malformed',
    () => Buffer.from(Array.from({ length: 5000 }, (_none, at) => (at * 131) % 256)),
  ],
  [
    'signed: a certificate cut off',
    'certificate_malformed',
    (manifest) => signed('alone', manifest) + signers().alone.slice(0, 400),
  ],
  [
    'signed: a certificate of nonsense',
    'certificate_malformed',
    (manifest) => `${signed('alone', manifest)}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`,
  ],
  [
    'signed: eleven certificates',
    'certificates_too_many',
    (manifest) => signed('alone', manifest) + signers().alone.repeat(11),
  ],
  [
    'signed: 64 KiB and more',
    'certificate_too_large',
    (manifest) => signed('alone', manifest) + signers().alone + '\n'.repeat(65_536),
  ],
];

export const HOSTILE_SIGNATURES: readonly Hostile[] = CASES.map(([kind, fault, certificate]) => [
  kind,
  fault,
  () => ova({ certificate }),
]);
