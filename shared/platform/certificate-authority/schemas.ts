// Schemas of the root certificate and of issued certificates. None of them has a private key.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idParam,
  idSchema,
  instantSchema,
  listOf,
} from '../../ground/schemas/component.ts';

export const AUTHORITY_PATH = '/api/v1/certificate-authority';
export const AUTHORITY_TAG = 'Certificate authority';

const CERTIFICATE = {
  id: idSchema,
  subject: v.pipe(v.string(), v.description('`CN=…`; may be empty where the names identify the server.')),
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
  purpose: v.pipe(v.string(), v.description('What serves with it.')),
  names: v.pipe(v.array(v.string()), v.description('Host names and addresses that it is for.')),
  replaced_at: v.pipe(
    v.nullable(v.string()),
    v.description('When it was replaced and its private key was forgotten; null while it is in use.'),
  ),
};

const issuedItem = component('IssuedCertificate', v.object(ISSUED));
export const issuedListSchema = listOf('IssuedCertificateList', issuedItem);
export const issuedSchema = component('IssuedCertificateWithPem', v.object({ ...ISSUED, pem }));

export const certificateParam = idParam('certificate_id', 'Id of the certificate.');
