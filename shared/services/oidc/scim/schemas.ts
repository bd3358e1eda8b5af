// Schemas of SCIM targets. No answer has the token.
import * as v from 'valibot';
import {
  component,
  described,
  idParam,
  idSchema,
  instantSchema,
  listOf,
  text,
} from '../../../ground/schemas/component.ts';
import { plainText } from '../../../ground/schemas/plain-text.ts';
import { FINGERPRINT } from '../../../ground/x509/certificate.ts';
import { GROUP_MOST, GROUPS_MOST } from '../clients/schemas.ts';
import { BASE_URL_MOST, baseUrlFault } from './base-url.ts';

export const DEPARTED = ['deactivate', 'remove'] as const;
export const PUSH_OUTCOMES = ['succeeded', 'partly', 'failed', 'cancelled'] as const;

/** Characters of a token, at most. */
export const TOKEN_MOST = 8192;

const baseUrl = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (sent) => baseUrlFault(sent) === null,
    ({ input }) => baseUrlFault(String(input)) ?? '',
  ),
  v.description(
    `Base URL of the SCIM 2.0 service, to which /Users and /Groups are added: https alone, without user name, query and fragment, at most ${BASE_URL_MOST} bytes.`,
  ),
);
const groups = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'A name is missing.'),
      v.maxLength(GROUP_MOST, `At most ${GROUP_MOST} characters.`),
      plainText,
    ),
  ),
  v.maxLength(GROUPS_MOST, `At most ${GROUPS_MOST}.`),
  v.description(
    `Groups that are pushed with their members, by the names that the client gets, case ignored: at most ${GROUPS_MOST}. Empty: all that the client gets. If the client gets all groups and this is empty, everybody is pushed; otherwise only members of these groups.`,
  ),
);
const domain = v.pipe(
  v.string(),
  v.trim(),
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*)?$/i,
    'A domain name, such as lab.example.',
  ),
  v.maxLength(253, 'At most 253 characters.'),
  v.description(
    'Domain of the people at vCenter 8 and VCF Identity Broker, which keep it beside the user name. Empty: that of the organization of the directory; people of the appliance then have none, and no mail address.',
  ),
);
const departed = described(
  v.picklist(DEPARTED),
  'What happens to a user at the target who should no longer be there: `deactivate` sets active to false, `remove` deletes. Groups that leave are deleted in any case.',
);
const token = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x21-\x7e]+$/, 'A token has visible ASCII characters alone.'),
  v.maxLength(TOKEN_MOST, `At most ${TOKEN_MOST} characters.`),
  v.description(
    'Bearer token that the target gave out. It is sealed, and in no answer. It may be left out where one is saved and the server stays the same.',
  ),
);
const fingerprint = v.pipe(
  v.string(),
  v.trim(),
  v.toUpperCase(),
  v.regex(FINGERPRINT, 'SHA-256 of the certificate, in pairs of hexadecimal digits with colons.'),
);

export const targetParam = idParam('oidc_client_id', 'Id of the client.');

export const scimTargetSchema = component(
  'OidcScimTarget',
  v.object({
    id: idSchema,
    client_id: text('Id of the client.'),
    base_url: text('Base URL of the SCIM service.'),
    enabled: described(v.boolean(), 'Whether the clock pushes by itself.'),
    groups: described(v.array(v.string()), 'Groups that are pushed; empty: all that the client gets.'),
    domain: text('Domain of the people at the target.'),
    departed: described(v.picklist(DEPARTED), 'What becomes of users who leave.'),
    address: described(v.nullable(v.string()), 'The one address that is dialled; null: no certificate is confirmed.'),
    sha256: described(v.nullable(v.string()), 'SHA-256 of the confirmed certificate; null: nothing is sent.'),
    last_job_id: described(v.nullable(v.string()), 'Job of the last push that ended.'),
    last_outcome: described(
      v.nullable(v.picklist(PUSH_OUTCOMES)),
      'How it ended; `partly`: some objects were refused. Null: none was yet.',
    ),
    last_at: described(v.nullable(instantSchema), 'When it ended.'),
    last_reason: text('Why it failed, or how much was refused; else empty.'),
    next_at: described(v.nullable(instantSchema), 'Not before then it is tried again by itself, after a failure.'),
    revision: described(v.number(), 'Grows with each change.'),
    created_at: instantSchema,
    updated_at: instantSchema,
  }),
);

export const scimTargetPutSchema = component(
  'OidcScimTargetPut',
  v.strictObject({
    base_url: baseUrl,
    token: v.optional(token),
    enabled: v.optional(
      described(v.boolean(), 'Whether the clock pushes by itself when people, groups or settings changed.'),
      true,
    ),
    groups: v.optional(groups, []),
    domain: v.optional(domain, ''),
    departed: v.optional(departed, 'deactivate'),
  }),
  {
    base_url: 'https://vc01.lab.example/usergroup/t/CUSTOMER/scim/v2',
    groups: ['vcenter-admins'],
    domain: 'lab.example',
  },
);
export type ScimTargetPut = v.InferOutput<typeof scimTargetPutSchema>;

export const scimCertificateSchema = component(
  'OidcScimCertificate',
  v.object({
    server: text('Host, and port where it is not 443.'),
    address: text('The address that was dialled.'),
    sha256: text('SHA-256 of the certificate that the server shows now.'),
    subject: text('Its subject.'),
    valid_until: text('Until when it is valid.'),
    confirmed: described(v.boolean(), 'Whether it is the confirmed one.'),
  }),
);
export const scimConfirmSchema = component(
  'OidcScimConfirm',
  v.strictObject({
    sha256: described(
      fingerprint,
      'The fingerprint that was compared with the one that the operator of the server knows.',
    ),
  }),
  { sha256: '5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E' },
);

export const OBJECT_KINDS = ['user', 'group'] as const;
export const OBJECT_OUTCOMES = [
  'pending',
  'created',
  'updated',
  'unchanged',
  'deactivated',
  'removed',
  'refused',
] as const;

const objectSchema = component(
  'OidcScimObject',
  v.object({
    kind: described(v.picklist(OBJECT_KINDS), 'What it is.'),
    external_id: text('Its `externalId`: of a user `sub` of the tokens, and entryUUID in the directory.'),
    name: text('User name, or name of the group at the target.'),
    outcome: described(
      v.picklist(OBJECT_OUTCOMES),
      'What the last push did with it; `pending`: it was about to be sent, and the push ended.',
    ),
    reason: text('Why it was refused, or what was left out; else empty.'),
    at: described(instantSchema, 'When.'),
  }),
);
export const scimObjectListSchema = listOf('OidcScimObjectList', objectSchema);
export const scimPushSchema = component('OidcScimPush', v.object({ job_id: text('Id of the job that pushes.') }));
