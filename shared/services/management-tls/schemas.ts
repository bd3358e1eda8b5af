// Schemas of the management UI's certificate. No answer has a private key.
import * as v from 'valibot';
import { component, createdBy, described, instantSchema, text } from '../../ground/schemas/component.ts';
import { SOURCES } from './settings.ts';

export const TLS_PATH = '/api/v1/management-tls';
export const TLS_TAG = 'Management TLS';

/** Characters of a file: a key and a chain of ten certificates have some 30,000. */
export const FILE_MOST = 65_536;

const file = (what: string) =>
  v.pipe(
    v.string(),
    v.maxLength(FILE_MOST, `At most ${FILE_MOST} characters.`),
    v.description(`${what} At most ${FILE_MOST} characters.`),
  );

const MEMBERS = {
  certificate: v.optional(file('The certificate and those above it, as PEM.')),
  private_key: v.optional(file('Its private key as PEM, without a passphrase.')),
  pkcs12: v.optional(file('All of it as PKCS #12, in base64, instead of the two.')),
  passphrase: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1024, 'At most 1024 characters.'),
      v.description('What the PKCS #12 file is under; it is not kept.'),
    ),
  ),
};
type OneOf = { certificate?: string | undefined; pkcs12?: string | undefined };
const isOneOf = ({ certificate, pkcs12 }: OneOf): boolean => Boolean(certificate) !== Boolean(pkcs12);
const EITHER = 'Expected either a certificate as PEM or a PKCS #12 file.';

export const uploadSchema = component(
  'ManagementCertificateUpload',
  v.pipe(
    v.strictObject({
      ...MEMBERS,
      own_password: v.pipe(
        v.string(),
        v.maxLength(1024, 'At most 1024 characters.'),
        v.description('Password of the signed-in user, or of the token’s user.'),
      ),
    }),
    v.forward(
      v.check((file) => isOneOf(file), EITHER),
      ['certificate'],
    ),
  ),
  { pkcs12: 'MII…', passphrase: 'what the file is under', own_password: '…' },
);

/** Of the form, which asks for the own password by itself. */
export const uploadFormSchema = v.pipe(
  v.strictObject(MEMBERS),
  v.forward(
    v.check((file) => isOneOf(file), EITHER),
    ['certificate'],
  ),
);

const DESCRIBED = {
  subject: text('Its subject: `CN=gc01.lab.example`.'),
  issuer: text('What signed it.'),
  names: described(v.array(v.string()), 'Host names and addresses that it is for.'),
  sha256: text('SHA-256 of the certificate: `AA:BB:…`.'),
  not_after: described(instantSchema, 'When it ends.'),
};

export const uploadedSchema = component(
  'ManagementCertificateUploaded',
  v.object({
    ...DESCRIBED,
    not_before: described(instantSchema, 'When it begins.'),
    key_algorithm: text('Kind and size of its key, such as `rsa-2048` or `ecdsa-p256`.'),
    created_by: createdBy,
    created_at: instantSchema,
  }),
);

export const stateSchema = component(
  'ManagementTls',
  v.object({
    shown: described(
      v.nullable(
        v.object({
          ...DESCRIBED,
          applied: described(
            v.boolean(),
            'Whether it is the applied one; false: the one that the service was started with.',
          ),
        }),
      ),
      'What the management UI shows now; null: it speaks no TLS, or this operation runs without the service.',
    ),
    fault: described(
      v.nullable(v.string()),
      'Why the applied certificate is not shown, in a sentence; null: nothing is wrong.',
    ),
    source: described(v.picklist(SOURCES), 'Where the certificate comes from, as saved.'),
    uploaded: described(v.nullable(uploadedSchema), 'The certificate that was uploaded; null: none.'),
  }),
);
