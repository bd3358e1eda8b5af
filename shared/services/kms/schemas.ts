// Schemas of key management: providers, clients, keys and requests. No answer has the material of a key; the one answer with a
// private key is that of the client for which it was made.
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
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { plainText } from '../../ground/schemas/plain-text.ts';
import { CSR_BYTES_MOST, NAMES_MOST } from '../../platform/certificate-authority/names.ts';

export const KMS_PATH = '/api/v1/kms';
export const KMS_TAG = 'Key management';

/** Characters of a certificate as PEM: with a key of 8192 bits it has some 4,000. */
export const CERTIFICATE_MOST = 16_384;

const providerName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'Lower-case letters, digits and hyphens; 1 to 63, beginning with a letter or digit.',
  ),
  v.description('Unique.'),
);
const description = v.pipe(
  v.string(),
  v.maxLength(500, 'At most 500 characters.'),
  plainText,
  v.description('For people; at most 500 characters, none of them a control or an invisible character.'),
);
const activates = v.pipe(
  v.boolean(),
  v.description(
    'Keys are active as soon as they are created, which vCenter expects without asking for it. Otherwise the client activates them. Default true.',
  ),
);

export const providerSchema = component(
  'KeyProvider',
  v.object({
    id: idSchema,
    name: text('Unique name.'),
    description: text('For people; may be empty.'),
    activates_on_create: described(v.boolean(), 'Whether keys are active as soon as they are created.'),
    client_count: described(integerSchema, 'Client certificates that are trusted.'),
    key_count: described(integerSchema, 'Keys that are not destroyed.'),
    created_by: createdBy,
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export const providerListSchema = listOf('KeyProviderList', providerSchema);
export const providerCreateSchema = component(
  'KeyProviderCreate',
  v.strictObject({
    name: providerName,
    description: v.optional(description),
    activates_on_create: v.optional(activates),
  }),
  { name: 'management-domain', description: 'vc01 of the management domain' },
);
export const providerUpdateSchema = component(
  'KeyProviderUpdate',
  v.strictObject({
    name: v.optional(providerName),
    description: v.optional(description),
    activates_on_create: v.optional(activates),
  }),
  { description: 'vc01 and vc02 of the management domain' },
);

export const CLIENT_STATES = ['valid', 'expired', 'not_yet_valid', 'revoked'] as const;
export const ORIGINS = ['uploaded', 'signed', 'made'] as const;

const CLIENT = {
  id: idSchema,
  provider_id: text('Id of its provider.'),
  name: text('For people and for the audit log.'),
  origin: described(
    v.picklist(ORIGINS),
    '`uploaded`: its own certificate. `signed`: for its signing request. `made`: with a key that was made here.',
  ),
  state: described(
    v.picklist(CLIENT_STATES),
    'Only a valid one is trusted. `revoked`: by the appliance’s authority, or it is remembered as removed: see removed-clients.',
  ),
  subject: text('Subject of the certificate.'),
  sha256: text('SHA-256 of the certificate, which it is known by.'),
  not_before: instantSchema,
  not_after: instantSchema,
  certificate: text('The certificate as PEM.'),
  created_by: createdBy,
  created_at: instantSchema,
  last_seen_at: described(v.nullable(instantSchema), 'When it last asked for something.'),
  last_seen_from: described(v.nullable(v.string()), 'The address that it asked from.'),
};
export const clientSchema = component('KmsClient', v.object(CLIENT));
export const clientListSchema = listOf('KmsClientList', clientSchema);

export const WHYS = ['removed', 'revoked', 'held', 'provider_deleted'] as const;

export const removedClientListSchema = listOf(
  'KmsRemovedClientList',
  component(
    'KmsRemovedClient',
    v.object({
      id: idSchema,
      provider_id: text('Id of its provider then.'),
      provider: text('Name of its provider then.'),
      name: text('Its name.'),
      sha256: text('SHA-256 of its certificate.'),
      removal: described(
        v.picklist(WHYS),
        '`removed`: by a person. `revoked`: by the appliance’s authority. `held`: the appliance’s authority has put its certificate on hold; lifting the hold makes it trusted again. `provider_deleted`: with its provider.',
      ),
      removed_by: text('Who removed it; the audit log names whoever revoked a certificate.'),
      removed_at: instantSchema,
    }),
  ),
);

const clientName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Say which machine it is.'),
  v.maxLength(100, 'At most 100 characters.'),
  plainText,
  v.description('For people and for the audit log: 1 to 100 characters.'),
);
const own_password = v.pipe(
  v.string(),
  v.maxLength(1024, 'At most 1024 characters.'),
  v.description('Password of the signed-in user, or of the token’s user.'),
);
/** A client gets every key of its provider: nobody is let in without it. */
export const confirmedSchema = component('KmsConfirmed', v.strictObject({ own_password }), { own_password: '…' });
const OF = { provider_id: v.pipe(v.string(), v.maxLength(64), v.description('Id of the provider.')), name: clientName };

export const clientUploadSchema = component(
  'KmsClientUpload',
  v.strictObject({
    ...OF,
    own_password,
    certificate: v.pipe(
      v.string(),
      v.maxLength(CERTIFICATE_MOST, `At most ${CERTIFICATE_MOST} characters.`),
      v.description(`The client's certificate as PEM; of several the first. At most ${CERTIFICATE_MOST} characters.`),
    ),
  }),
  {
    provider_id: 'kmsprovider_example',
    name: 'vc01.lab.example',
    own_password: '…',
    certificate: '-----BEGIN CERTIFICATE-----…',
  },
);

const names = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(255))),
  v.maxLength(NAMES_MOST, `At most ${NAMES_MOST} names.`),
  v.description(`Host names and addresses of the client. At most ${NAMES_MOST}.`),
);

export const clientSignSchema = component(
  'KmsClientSign',
  v.strictObject({
    ...OF,
    own_password,
    csr: v.pipe(
      v.string(),
      v.maxLength(CSR_BYTES_MOST, `At most ${CSR_BYTES_MOST} characters.`),
      v.description(`Certificate signing request: PEM, or DER in base64. At most ${CSR_BYTES_MOST} characters.`),
    ),
    names: v.optional(described(names, `Instead of those of the request. At most ${NAMES_MOST}.`)),
  }),
  {
    provider_id: 'kmsprovider_example',
    name: 'vc01.lab.example',
    own_password: '…',
    csr: '-----BEGIN CERTIFICATE REQUEST-----…',
    names: ['vc01.lab.example'],
  },
);

export const clientMakeSchema = component(
  'KmsClientMake',
  v.strictObject({ ...OF, own_password, names: v.pipe(names, v.minLength(1, 'Say what the certificate is for.')) }),
  { provider_id: 'kmsprovider_example', name: 'vc01.lab.example', own_password: '…', names: ['vc01.lab.example'] },
);

export const clientMadeSchema = component(
  'KmsClientMade',
  v.object({
    client: described(clientSchema, 'The trusted client.'),
    private_key: text('PKCS #8 as PEM. It is only in this answer: the appliance does not keep it.'),
  }),
);

export const KEY_STATES = ['pre-active', 'active', 'deactivated', 'compromised', 'destroyed', 'erased'] as const;

export const keySchema = component(
  'KmsKey',
  v.object({
    id: text('The unique identifier that clients name it by.'),
    provider_id: text('Id of its provider.'),
    origin: described(v.picklist(['created', 'registered']), 'Made here, or brought by a client.'),
    state: described(
      v.picklist(KEY_STATES),
      'As KMIP has it. `destroyed`: no client gets it, and it can be brought back until `erased_after`; `erased`: its material is gone.',
    ),
    algorithm: described(v.literal('AES'), 'Its algorithm.'),
    length_bits: described(integerSchema, '128, 192 or 256.'),
    usage_mask: described(integerSchema, 'Cryptographic usage mask, a sum of bits.'),
    attributes: described(
      v.array(
        v.object({
          name: text('Name of the attribute.'),
          index: described(integerSchema, 'Of several with this name.'),
          value: text('Its value as a text; of bytes only their number.'),
        }),
      ),
      'What clients set.',
    ),
    created_by: text('Name of the client that made it.'),
    created_at: instantSchema,
    changed_at: instantSchema,
    activated_at: v.nullable(instantSchema),
    deactivated_at: v.nullable(instantSchema),
    compromised_at: v.nullable(instantSchema),
    destroyed_at: v.nullable(instantSchema),
    erased_after: described(v.nullable(instantSchema), 'Until then a destroyed key can be brought back.'),
    last_get_at: described(v.nullable(instantSchema), 'When its material was last given to a client.'),
    last_get_from: described(v.nullable(v.string()), 'The address that it was given to.'),
  }),
);
export const keyListSchema = listOf('KmsKeyList', keySchema);

export const receiversSchema = component(
  'KmsKeyReceiverList',
  v.object({
    items: described(
      v.array(
        v.object({
          client: text('Name of the client then.'),
          sha256: text('SHA-256 of its certificate.'),
          first_at: described(instantSchema, 'When it first got the material.'),
          first_from: text('The address that it asked from then.'),
          last_at: described(instantSchema, 'When it last got it.'),
          last_from: text('The address that it asked from then.'),
          times: described(integerSchema, 'How often it got it.'),
        }),
      ),
      'The last one first.',
    ),
  }),
);

export const requestsSchema = component(
  'KmsRequestList',
  v.object({
    items: described(
      v.array(
        v.object({
          at: instantSchema,
          provider: text('Name of the provider.'),
          client: text('Name of the client.'),
          source_address: text('Where it came from.'),
          version: text('KMIP version; empty for a request that could not be read.'),
          operation: text('Name of the operation.'),
          key_id: described(v.nullable(v.string()), 'The key that it was about.'),
          attributes: described(v.array(v.string()), 'Names of attributes; no values.'),
          result: text('`success`, or why not.'),
          took_ms: described(integerSchema, 'Milliseconds until the answer.'),
        }),
      ),
      'Newest first.',
    ),
  }),
);

export const protectionSchema = component(
  'KmsProtection',
  v.object({
    enabled: described(v.boolean(), 'Whether the KMIP server is on, as saved.'),
    keys: described(integerSchema, 'Keys that are not destroyed.'),
    unprotected: described(integerSchema, 'Of these, keys that are in no verified copy of an archive.'),
    newest_copy_at: described(v.nullable(instantSchema), 'When the newest verified copy was made.'),
    destroyed: described(
      v.array(
        v.object({
          provider_id: text('Id of the provider.'),
          provider: text('Its name.'),
          keys: described(integerSchema, 'Its destroyed keys that can be brought back.'),
          until: described(instantSchema, 'When the first of them is erased.'),
        }),
      ),
      'Providers whose clients destroyed keys.',
    ),
    expiring: described(
      v.array(
        v.object({
          id: idSchema,
          name: text('Name of the client.'),
          provider: text('Name of its provider.'),
          not_after: instantSchema,
        }),
      ),
      'Clients whose certificate ends within 30 days, or ended within the last 30.',
    ),
  }),
);

export const clientParam = idParam('client_id', 'Id of the client.');
export const keyParam = idParam('key_id', 'Id of the key.');
