// What browsers answer (WebAuthn, 5.1: RegistrationResponseJSON and AuthenticationResponseJSON), within bounds.
import * as v from 'valibot';
import { component, described, text } from '../../../ground/schemas/component.ts';
import { totpBeginSchema } from './schemas.ts';

const encoded = (most: number, what: string) =>
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/, 'Expected base64url.'), v.maxLength(most), v.description(what));

const describedObject = <E extends v.ObjectEntries>(what: string, entries: E) =>
  described(v.strictObject(entries), what);

const ID_MOST = 1400;
/** Those of ML-DSA-87 have 4,627 bytes (FIPS 204, table 2): browsers have them already. */
const SIGNATURE_MOST = 6400;
const COMMON = {
  id: encoded(ID_MOST, 'Credential id, base64url.'),
  rawId: encoded(ID_MOST, 'The same.'),
  type: v.pipe(v.literal('public-key'), v.description('Always `public-key`.')),
  authenticatorAttachment: v.optional(
    v.pipe(v.nullable(v.picklist(['platform', 'cross-platform'])), v.description('Where the key is.')),
  ),
  clientExtensionResults: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('Of no use here: no extension is asked for.'),
  ),
};

export const createdCredentialSchema = v.strictObject({
  ...COMMON,
  response: describedObject('What the authenticator made.', {
    clientDataJSON: encoded(4096, 'What the browser signed, base64url.'),
    attestationObject: encoded(16_384, 'The new key, base64url.'),
    transports: v.optional(
      v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(8), v.description('How the key is reached.')),
    ),
    authenticatorData: v.optional(encoded(16_384, 'Part of the attestation object.')),
    publicKey: v.optional(encoded(16_384, 'Part of the attestation object.')),
    publicKeyAlgorithm: v.optional(v.pipe(v.number(), v.integer(), v.description('COSE algorithm.'))),
  }),
});
export type CreatedCredential = v.InferOutput<typeof createdCredentialSchema>;

export const usedCredentialSchema = v.strictObject({
  ...COMMON,
  response: describedObject('What the authenticator signed.', {
    clientDataJSON: encoded(4096, 'What the browser signed, base64url.'),
    authenticatorData: encoded(2048, 'What the key says, base64url.'),
    signature: encoded(SIGNATURE_MOST, 'Signature of both, base64url.'),
    userHandle: v.optional(v.pipe(v.nullable(v.pipe(v.string(), v.maxLength(128))), v.description('Of no use here.'))),
  }),
});
export type UsedCredential = v.InferOutput<typeof usedCredentialSchema>;

export const passkeyBeginSchema = component(
  'PasskeyBegin',
  v.strictObject({
    ...totpBeginSchema.entries,
    origin: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(300),
        v.description(
          'Where the browser has the appliance open: `https://`, a name of the appliance, and the port unless it is 443. Default: where this request was sent to.',
        ),
      ),
    ),
  }),
  { name: 'Security key', own_password: '…', origin: 'https://gc01.lab.example' },
);

export const passkeyBegunSchema = component(
  'PasskeyBegun',
  v.object({
    registration_id: text('Id for the confirmation, for five minutes and one answer.'),
    options: described(
      v.record(v.string(), v.unknown()),
      'For the browser: PublicKeyCredentialCreationOptionsJSON (WebAuthn, 5.4).',
    ),
  }),
);

export const passkeyConfirmSchema = component(
  'PasskeyConfirm',
  v.strictObject({
    credential: described(createdCredentialSchema, 'What the browser made: RegistrationResponseJSON (WebAuthn, 5.1).'),
  }),
  {
    credential: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
    },
  },
);

/** As forms send one: JSON in a field. */
export function credentialIn(field: string): unknown {
  try {
    return JSON.parse(field) as unknown;
  } catch {
    return undefined;
  }
}
