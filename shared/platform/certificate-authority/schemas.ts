// What the API says of the root certificate and of what it issued. Private keys have no place in it.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idParam,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../ground/schemas/component.ts';
import { CERTIFICATE_STATES, EXPIRING_DAYS, REVOCATION_REASONS } from './certificate-store.ts';
import { PROFILES } from './profiles.ts';

export const AUTHORITY_PATH = '/api/v1/certificate-authority';
export const AUTHORITY_TAG = 'Certificate authority';

const CERTIFICATE = {
  id: idSchema,
  subject: v.pipe(v.string(), v.description('`CN=…`; may be empty where the names stand for it.')),
  sha256: v.pipe(v.string(), v.description('SHA-256 of the certificate: `AA:BB:…`, 32 bytes.')),
  serial_number: v.pipe(v.string(), v.description('Hexadecimal digits.')),
  key_algorithm: described(
    v.picklist(['ecdsa-p256', 'ecdsa-p384', 'rsa-2048', 'rsa-3072', 'rsa-4096']),
    'Kind and size of its key.',
  ),
  not_before: instantSchema,
  not_after: instantSchema,
  created_by: createdBy,
  created_at: instantSchema,
};
const pem = v.pipe(v.string(), v.description('The certificate as PEM.'));

export const rootSchema = component(
  'RootCertificate',
  v.object({
    ...CERTIFICATE,
    pem,
    standing: described(
      v.picklist(['signing', 'next', 'former']),
      '`signing`: it signs what is issued. `next`: it is trusted beforehand, and signs nothing yet. `former`: it signs nothing but its revocation list.',
    ),
    path_length: described(v.nullable(integerSchema), 'Authorities that may be below it; null: any number.'),
    chain_pem: text('Of an imported subordinate: what signed it, up to its root, as PEM; else empty.'),
    origin: described(v.picklist(['made', 'imported']), 'Whether the appliance made it.'),
    state: v.pipe(
      v.picklist(['valid', 'expired', 'not_yet_valid', 'unusable']),
      v.description(
        'Whether it can sign now: `unusable` when its private key cannot be opened. Where it is not `valid`, another one can be made.',
      ),
    ),
  }),
);

const ISSUED = {
  ...CERTIFICATE,
  authority_id: v.pipe(v.string(), v.description('Id of the root certificate that signed it.')),
  purpose: v.pipe(
    v.string(),
    v.description('What serves with it; empty where it was issued for a request, and its key is elsewhere.'),
  ),
  profile: described(v.picklist(PROFILES), 'What it may be used for.'),
  state: described(
    v.picklist(CERTIFICATE_STATES),
    `What it is now. \`expiring\`: it ends within ${EXPIRING_DAYS} days. \`on_hold\`: revoked until it is taken back.`,
  ),
  revoked_at: described(v.nullable(v.string()), 'When it was revoked; null unless it is.'),
  revocation_reason: described(v.nullable(v.picklist(REVOCATION_REASONS)), 'Why, in the words of RFC 5280.'),
  names: v.pipe(v.array(v.string()), v.description('Host names and addresses that it is for.')),
  replaced_at: v.pipe(
    v.nullable(v.string()),
    v.description('When another one took its place, and its private key was forgotten; null while it is in use.'),
  ),
};

const issuedItem = component('IssuedCertificate', v.object(ISSUED));
export const issuedListSchema = listOf('IssuedCertificateList', issuedItem);
export const issuedSchema = component('IssuedCertificateWithPem', v.object({ ...ISSUED, pem }));

export const certificateParam = idParam('certificate_id', 'Id of the certificate.');
