// What the API takes to import a root, and to make a key with its certificate.
import * as v from 'valibot';
import { component, described, text } from '../../ground/schemas/component.ts';
import { PASSPHRASE_LEAST, PASSPHRASE_MOST } from '../../ground/x509/pkcs12-write.ts';
import { IMPORT_CHARACTERS_MOST, NAMES_MOST } from './names.ts';
import { issuedSchema } from './schemas.ts';

const file = (what: string) =>
  v.pipe(
    v.string(),
    v.maxLength(IMPORT_CHARACTERS_MOST, `At most ${IMPORT_CHARACTERS_MOST} characters.`),
    v.description(`${what} At most ${IMPORT_CHARACTERS_MOST} characters.`),
  );

export const importSchema = component(
  'RootCertificateImport',
  v.pipe(
    v.strictObject({
      pem: v.optional(file('The certificate, its private key, and what signed it up to its root, as PEM.')),
      pkcs12: v.optional(file('The same as PKCS #12, in base64, instead of `pem`.')),
      passphrase: v.optional(
        v.pipe(v.string(), v.maxLength(1024), v.description('What the PKCS #12 file is under; it is not kept.')),
      ),
      standing: v.optional(
        described(
          v.picklist(['signing', 'next']),
          '`signing`, which is the default: it signs from now on, where no other root can. `next`: it follows the one that signs.',
        ),
      ),
    }),
    v.forward(
      v.check(({ pem, pkcs12 }) => Boolean(pem) !== Boolean(pkcs12), 'Expected either PEM or PKCS #12.'),
      ['pem'],
    ),
  ),
  { pkcs12: 'MII…', passphrase: 'what the file is under' },
);

export const newPassphrase = v.pipe(
  v.string(),
  v.minLength(PASSPHRASE_LEAST, `At least ${PASSPHRASE_LEAST} characters.`),
  v.maxLength(PASSPHRASE_MOST, `At most ${PASSPHRASE_MOST} characters.`),
  v.description(`What the file is under, ${PASSPHRASE_LEAST} to ${PASSPHRASE_MOST} characters; it is not kept.`),
);

export const KEYED_PROFILES = ['server', 'client', 'server-client', 'vmware'] as const;
export const KEYED_ALGORITHMS = ['rsa-2048', 'rsa-3072', 'rsa-4096', 'ecdsa-p256', 'ecdsa-p384'] as const;

export const withKeySchema = component(
  'CertificateWithKeyCreate',
  v.strictObject({
    profile: described(v.picklist(KEYED_PROFILES), `What it may be used for: ${KEYED_PROFILES.join(', ')}.`),
    names: v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(255))),
      v.minLength(1, 'Say what the certificate is for.'),
      v.maxLength(NAMES_MOST, `At most ${NAMES_MOST} names.`),
      v.description(`Host names and addresses that it is for, 1 to ${NAMES_MOST}.`),
    ),
    key_algorithm: v.optional(described(v.picklist(KEYED_ALGORITHMS), 'Kind and size of the key. Default: rsa-3072.')),
    passphrase: newPassphrase,
  }),
  { profile: 'server', names: ['registry.lab.example'], passphrase: 'what the file is under' },
);

export const withKeySchemaAnswer = component(
  'CertificateWithKey',
  v.object({
    certificate: described(issuedSchema, 'The certificate that was issued.'),
    pkcs12: text('Key, certificate and chain as PKCS #12 under the passphrase, in base64. It is in no other answer.'),
  }),
);
